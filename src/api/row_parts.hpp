#pragma once
// All elements of a tensor, unpacked and row-major, of which each rank brings or takes its part (layout::part_of).
#include <cstddef>

#include "api/tensor_state.hpp"

namespace ricci::detail {

/// Collective. InputError where elements that the symmetry makes equal are not.
void set_by_parts(const TensorState& tensor, const std::byte* part);
/// Collective.
void get_by_parts(const TensorState& tensor, std::byte* part);

}  // namespace ricci::detail
