#pragma once
#include <complex>
#include <type_traits>

#include "kernels/micro_kernel.hpp"

namespace ricci::exec {

/// A coefficient in the type of the elements; one for real elements has no imaginary part.
template <class T>
T coefficient_as(std::complex<double> value) {
  if constexpr (std::is_same_v<T, kernels::Real<T>>) {
    return static_cast<T>(value.real());
  } else {
    return T(value);
  }
}

}  // namespace ricci::exec
