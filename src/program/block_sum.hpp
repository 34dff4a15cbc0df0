#pragma once
// A sum that becomes a block of an array.
#include "compile/block_catalog.hpp"
#include "program/any_tensor.hpp"

namespace ricci::program {

/// Symmetry that is not cut stays; what is cut has been multiplied out.
symmetry::Shape shape_of_sum(const compile::BlockCatalog& catalog, const compile::Box& box);

/// Zero, in the layout in which blocks are written. Collective.
AnyTensor new_sum(const World& world, ElementType type, const symmetry::Shape& shape);

/// The sum as a block of that shape, which may have more symmetry. Collective.
AnyTensor packed_sum(AnyTensor sum, const symmetry::Shape& shape);

}  // namespace ricci::program
