#include "methods/correlation.hpp"

#include <algorithm>

#include <omp.h>

#include "iterate/checkpoint.hpp"

namespace cc {

Tensors declared_by(const ricci::Program& program, Tensors& all) {
  Tensors result;
  for (const ricci::GivenDeclaration& declared : program.given()) {
    const auto found = all.find(declared.name);
    if (found != all.end()) result.insert(all.extract(found));
  }
  return result;
}

Solution solve_and_keep(const Store& all, const ricci::Program& equations, Tensors& given,
                        const std::vector<Unknown>& unknowns, const CorrelationOptions& options) {
  Store store = all;  // the equations have what DIIS leaves
  store.reserve(all.reserved() + bytes_of_history(all, equations));
  if (options.checkpoint.empty()) return solve(store, equations, given, unknowns, options.solve);
  const Checkpoint checkpoint(store, options.checkpoint);
  SolveOptions solving = options.solve;
  solving.checkpoint = &checkpoint;
  solving.restart = options.restart;
  return solve(store, equations, given, unknowns, solving);
}

TriplesOptions triples_options(const Store& store, const Tensors& given, const CorrelationOptions& options) {
  const ricci::Options plan = store.plan_options();
  std::int64_t limit = plan.memory_limit;
  for (const auto& [name, tensor] : given) {
    if (limit > 0 && !tensor.is_on_disk())
      limit = std::max<std::int64_t>(1, limit - tensor.bytes() / store.world().size());
  }
  return {plan.threads > 0 ? plan.threads : omp_get_max_threads(), limit, options.progress};
}

std::int64_t bytes_of_history(const Store& store, const ricci::Program& equations) {
  std::int64_t bytes = 0;
  for (const ricci::GivenDeclaration& declared : equations.given()) {
    const std::int64_t elements = stored_size(declared.extents, declared.symmetry);
    if (!declared.is_output || store.is_large(elements)) continue;
    bytes += 2 * SolveOptions{}.history * elements * static_cast<std::int64_t>(sizeof(double));
  }
  return bytes / store.world().size();
}

}  // namespace cc
