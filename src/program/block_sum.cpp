#include "program/block_sum.hpp"

#include <algorithm>
#include <numeric>

namespace ricci::program {

symmetry::Shape shape_of_sum(const compile::BlockCatalog& catalog, const compile::Box& box) {
  Extents extents;
  for (std::size_t m = 0; m < box.lo.size(); ++m) extents.push_back(box.hi[m] - box.lo[m]);
  Symmetry symmetry;
  for (const SymmetryGroup& group : catalog.shape().symmetry().groups()) {
    if (catalog.tiles(group.modes[0]) <= 1) symmetry = symmetry * Symmetry(group.kind, group.modes);
  }
  return {extents, symmetry};
}

AnyTensor new_sum(const World& world, ElementType type, const symmetry::Shape& shape) {
  AnyTensor sum = make_block(world, type, shape);
  state_of(sum).stays = true;
  return sum;
}

/// A block on the diagonal keeps what symmetry it has: S = 1/n! Σ D∘g, D being symmetric already.
AnyTensor packed_sum(AnyTensor sum, const symmetry::Shape& shape) {
  const ricci::detail::TensorState& state = state_of(sum);
  if (shape == *state.shape) return sum;
  const auto& kept = state.shape->symmetry().groups();
  double copies = 1;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    if (std::find(kept.begin(), kept.end(), group) != kept.end()) continue;
    for (std::size_t n = 2; n <= group.modes.size(); ++n) copies *= static_cast<double>(n);
  }
  std::vector<int> modes(static_cast<std::size_t>(shape.order()));
  std::iota(modes.begin(), modes.end(), 0);
  AnyTensor packed = new_sum(state.world, state.type, shape);
  indexed(packed, mode_names(modes)) = (1 / copies) * indexed(sum, mode_names(modes));
  return packed;
}

}  // namespace ricci::program
