#include "iterate/solve.hpp"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "iterate/checkpoint.hpp"
#include "iterate/diis.hpp"

namespace cc {

namespace {

double energy_of(const std::map<std::string, double>& printed) {
  const auto found = printed.find("E");
  if (found == printed.end()) throw ricci::InternalError("equations that print no E");
  return found->second;
}

}  // namespace

Solution solve(const Store& store, const ricci::Program& program, Tensors& given, const std::vector<Unknown>& unknowns,
               const SolveOptions& options) {
  ProgramRunner runner(store, program, given, options.events);
  Diis diis(store, unknowns, options.history);
  CcIteration now;
  const int first = options.restart ? options.checkpoint->restore(given, unknowns, diis) + 1 : 1;
  double before = 0;
  for (int turn = 0; turn < options.max_iterations; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    now.iteration = first + turn;
    now.energy = energy_of(runner.run());
    now.change = now.energy - before;
    before = now.energy;
    now.residual = diis.extrapolate(given);
    now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!std::isfinite(now.energy) || !std::isfinite(now.residual)) break;
    if (options.report) options.report(now);
    if (options.checkpoint != nullptr) options.checkpoint->keep(now.iteration, given, unknowns, diis);
    if (now.residual < options.residual_threshold && std::abs(now.change) < options.energy_threshold) {
      runner.tell_timings();
      return {now.energy, now.iteration};
    }
  }
  throw ricci::InputError(fmt::format(
      "the amplitudes do not converge: after {} iterations the residual is {:.2e}; allow more (--max-iterations), or "
      "ask whether this molecule has one dominant determinant",
      now.iteration, now.residual));
}

}  // namespace cc
