#pragma once
#include <memory>

#include "api/tensor_state.hpp"

namespace ricci::detail {

/// A zero tensor.
std::shared_ptr<TensorState> make_tensor_state(const World& world, ElementType type, Extents extents,
                                               Symmetry symmetry);

}  // namespace ricci::detail
