#include "methods/correlation.hpp"

#include <omp.h>

#include "iterate/checkpoint.hpp"

namespace cc {

Solution solve_and_keep(const ricci::Program& equations, Tensors& given, const std::vector<Unknown>& unknowns,
                        const CorrelationOptions& options) {
  if (options.checkpoint.empty()) return solve(equations, given, unknowns, options.solve);
  const Checkpoint checkpoint(options.checkpoint);
  SolveOptions solving = options.solve;
  if (options.restart) solving.first_iteration = checkpoint.restore(given, unknowns) + 1;
  solving.keep = [&](int iteration, const Tensors& now) { checkpoint.keep(iteration, now, unknowns); };
  return solve(equations, given, unknowns, solving);
}

TriplesOptions triples_options(const CorrelationOptions& options) {
  const int threads = options.solve.plan.threads;
  return {threads > 0 ? threads : omp_get_max_threads(), options.solve.plan.memory_limit, options.progress};
}

}  // namespace cc
