#include "transform/transform.hpp"

#include <algorithm>
#include <utility>

namespace cc {

using ricci::Tensor;

Tensor<double> as_tensor(const ricci::World& world, const Eigen::MatrixXd& matrix) {
  Tensor<double> tensor(world, {matrix.rows(), matrix.cols()});
  tensor.fill([&](ricci::Index index) { return matrix(index[0], index[1]); });
  return tensor;
}

Tensor<double> as_tensor(const ricci::World& world, const Eigen::VectorXd& vector) {
  Tensor<double> tensor(world, {vector.size()});
  tensor.fill([&](ricci::Index index) { return vector(index[0]); });
  return tensor;
}

Tensors transform(const Store& store, Held integrals, const std::vector<OrbitalSet>& sets,
                  const std::vector<IntegralBlock>& blocks, const RunEvents& events) {
  const ricci::Program program = transform_program(integrals.extents()[0], sets, blocks);
  Tensors tensors;
  tensors.emplace("F", std::move(integrals));
  for (const ricci::GivenDeclaration& declared : program.given()) {
    const auto set =
        std::find_if(sets.begin(), sets.end(), [&](const OrbitalSet& one) { return declared.name == "C_" + one.name; });
    if (set != sets.end()) tensors.emplace(declared.name, as_tensor(store.world(), set->coefficients));
  }
  run_once(store, program, tensors, events);
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (!declared.is_output) tensors.erase(declared.name);
  }
  for (const IntegralBlock& block : blocks) {  // those that are zero
    if (tensors.count(block.name) > 0) continue;
    ricci::Extents extents;
    for (const int mode : block.sets) extents.push_back(sets[static_cast<std::size_t>(mode)].coefficients.cols());
    tensors.emplace(block.name, store.make(extents, block.symmetry));
  }
  return tensors;
}

}  // namespace cc
