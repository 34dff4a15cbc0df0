#include "iterate/run_program.hpp"

#include <complex>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "share/share_folder.hpp"

namespace cc {

namespace {

/// All that the program wants, with outputs that nobody has made yet.
ricci::GivenTensors complete(const Store& store, const ricci::Program& program, Tensors& given) {
  ricci::GivenTensors result;
  for (const ricci::GivenDeclaration& declared : program.given()) {
    auto found = given.find(declared.name);
    if (found == given.end() && declared.is_output)
      found = given.emplace(declared.name, store.make(declared.extents, declared.symmetry)).first;
    if (found != given.end()) result.emplace(declared.name, found->second.given());
  }
  return result;
}

}  // namespace

ProgramRunner::ProgramRunner(const Store& store, const ricci::Program& program, Tensors& given, RunEvents events)
    : store_(store),
      name_(program.name()),
      plan_(ricci::plan(program, store.world(), store.plan_options(), complete(store, program, given))),
      events_(std::move(events)) {
  how_.tensors = complete(store, program, given);
  how_.scratch = store.scratch();
  how_.events.print = [this](const std::string& text, std::complex<double> value) { printed_[text] = value.real(); };
  how_.events.progress = events_.progress;
}

const std::map<std::string, double>& ProgramRunner::run() {
  add(plan_.run(store_.world(), how_).operations);
  return printed_;
}

void ProgramRunner::add(const std::vector<ricci::OperationReport>& operations) {
  if (taken_.empty()) {
    taken_ = operations;
    return;
  }
  for (std::size_t n = 0; n < taken_.size(); ++n) {
    taken_[n].times += operations[n].times;
    taken_[n].predicted_seconds += operations[n].predicted_seconds;
    taken_[n].seconds += operations[n].seconds;
  }
}

void ProgramRunner::tell_timings() const {
  if (events_.timings) events_.timings(name_, taken_);
}

std::map<std::string, double> run_once(const Store& store, const ricci::Program& program, Tensors& given,
                                       const RunEvents& events) {
  ProgramRunner runner(store, program, given, events);
  const std::map<std::string, double> printed = runner.run();
  runner.tell_timings();
  return printed;
}

bool fits(const Store& store, const ricci::Program& program, std::int64_t beside) {
  const std::int64_t room = store.limit() - beside;
  ricci::Options options = store.plan_options();
  options.memory_limit = 0;
  if (ricci::plan(program, store.world(), options).peak_bytes() > room / 10 * 9) return false;
  options.memory_limit = room;  // with what kernels and messages take
  try {
    ricci::plan(program, store.world(), options);
  } catch (const ricci::ResourceError&) {
    return false;
  }
  return true;
}

std::string text_of_equations(const std::string& name) {
  const auto file = share_folder("cc") / (name + ".ric");
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in)
    throw ricci::InputError(fmt::format(
        "cannot read {}, the equations; let RICCI_SHARE name the folder that has `cc` in it", file.string()));
  return text.str();
}

ricci::Program load_equations(const std::string& name, const std::map<std::string, std::int64_t>& spaces) {
  return ricci::Program::parse(text_of_equations(name), name + ".ric", {.spaces = spaces});
}

}  // namespace cc
