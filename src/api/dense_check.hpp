#pragma once
// Whether a full array has the symmetry of a tensor.
#include <cstdint>
#include <span>

#include "symmetry/shape.hpp"

namespace ricci::detail {

/// Which of several ranks' shares of the work.
struct Share {
  int part, parts;
};

/// InputError, naming an element, where the array (row-major, all of the unpacked tensor) contradicts the symmetry by
/// more than rounding. Each share looks at some of the elements.
template <class T>
void check_dense(const symmetry::Shape& shape, std::span<const T> values, Share share);

}  // namespace ricci::detail
