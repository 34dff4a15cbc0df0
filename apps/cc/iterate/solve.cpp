#include "iterate/solve.hpp"

#include <chrono>
#include <cmath>
#include <complex>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "iterate/diis.hpp"
#include "share/share_folder.hpp"

namespace cc {

namespace {

/// Outputs that nobody has made yet.
void make_outputs(const ricci::Program& program, const ricci::World& world, Tensors& given) {
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (declared.is_output && given.count(declared.name) == 0)
      given.emplace(declared.name, ricci::Tensor<double>(world, declared.extents, declared.symmetry));
  }
}

class ProgramRunner {
 public:
  ProgramRunner(const ricci::Program& program, Tensors& given, const SolveOptions& options)
      : world_(given.begin()->second.world()), plan_(ricci::plan(program, world_, options.plan)) {
    make_outputs(program, world_, given);
    how_.scratch = options.scratch;
    for (const ricci::GivenDeclaration& declared : program.given()) {
      const auto found = given.find(declared.name);
      if (found != given.end()) how_.tensors.emplace(declared.name, &found->second);
    }
    how_.events.print = [this](const std::string& text, std::complex<double> value) { printed_[text] = value.real(); };
  }

  const std::map<std::string, double>& run() {
    plan_.run(world_, how_);
    return printed_;
  }

 private:
  ricci::World world_;
  ricci::PlannedProgram plan_;
  ricci::ProgramRunOptions how_;
  std::map<std::string, double> printed_;
};

double energy_of(const std::map<std::string, double>& printed) {
  const auto found = printed.find("E");
  if (found == printed.end()) throw ricci::InternalError("equations that print no E");
  return found->second;
}

}  // namespace

std::map<std::string, double> run_once(const ricci::Program& program, Tensors& given, const SolveOptions& options) {
  return ProgramRunner(program, given, options).run();
}

Solution solve(const ricci::Program& program, Tensors& given, const std::vector<Unknown>& unknowns,
               const SolveOptions& options) {
  ProgramRunner runner(program, given, options);
  Diis diis(unknowns, options.history);
  CcIteration now;
  double before = 0;
  for (int turn = 0; turn < options.max_iterations; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    now.iteration = options.first_iteration + turn;
    now.energy = energy_of(runner.run());
    now.change = now.energy - before;
    before = now.energy;
    now.residual = diis.extrapolate(given);
    now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!std::isfinite(now.energy) || !std::isfinite(now.residual)) break;
    if (options.report) options.report(now);
    if (options.keep) options.keep(now.iteration, given);
    if (now.residual < options.residual_threshold && std::abs(now.change) < options.energy_threshold)
      return {now.energy, now.iteration};
  }
  throw ricci::InputError(fmt::format(
      "the amplitudes do not converge: after {} iterations the residual is {:.2e}; allow more (--max-iterations), or "
      "ask whether this molecule has one dominant determinant",
      now.iteration, now.residual));
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
