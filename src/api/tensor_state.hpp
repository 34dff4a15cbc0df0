#pragma once
// What a Tensor<T> holds, without its type: expressions refer to it.
#include <memory>
#include <string>

#include <ricci/layout.hpp>
#include <ricci/world.hpp>

#include "symmetry/shape.hpp"
#include "util/aligned_buffer.hpp"
#include "util/element_type.hpp"

namespace ricci::detail {

struct TensorState {
  World world;
  ElementType type;
  std::shared_ptr<const symmetry::Shape> shape;
  Layout layout;
  AlignedBuffer data;
  std::string fingerprint;  // extents and symmetry as bytes, for the keys of the plan cache
};

}  // namespace ricci::detail
