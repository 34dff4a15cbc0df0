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

/// A refusal speaks of what there is for tensors, which is less than was allowed.
ricci::PlannedProgram planned(const Store& store, const ricci::Program& program, const ricci::GivenTensors& given) {
  try {
    return ricci::plan(program, store.world(), store.plan_options(), given);
  } catch (const ricci::ResourceError& error) {
    if (store.reserved() == 0) throw;
    throw ricci::ResourceError(
        fmt::format("{}; this does not count {} bytes that --memory has to allow for all but tensors", error.what(),
                    store.reserved()));
  }
}

}  // namespace

ProgramRunner::ProgramRunner(const Store& store, const ricci::Program& program, Tensors& given, RunEvents events)
    : store_(store),
      name_(program.name()),
      plan_(planned(store, program, complete(store, program, given))),
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
  const ricci::PlannedProgram unlimited = ricci::plan(program, store.world(), options);
  if (room <= 0 || unlimited.peak_bytes() > room / 10 * 9) return false;
  constexpr double slow = 2;    // what is left for intermediates is too little
  options.memory_limit = room;  // with what kernels and messages take
  try {
    return ricci::plan(program, store.world(), options).seconds() < slow * unlimited.seconds();
  } catch (const ricci::ResourceError&) {
    return false;
  }
}

std::string text_of_file(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw ricci::InputError(fmt::format("cannot read {}, a file of equations", path));
  return text.str();
}

std::string text_of_equations(const std::string& name) {
  const std::string file = (share_folder("cc") / (name + ".ric")).string();
  try {
    return text_of_file(file);
  } catch (const ricci::InputError& error) {
    throw ricci::InputError(fmt::format("{}; let RICCI_SHARE name the folder that has `cc` in it", error.what()));
  }
}

ricci::Program load_equations(const std::string& name, const std::map<std::string, std::int64_t>& spaces) {
  return ricci::Program::parse(text_of_equations(name), name + ".ric", {.spaces = spaces});
}

}  // namespace cc
