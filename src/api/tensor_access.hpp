#pragma once
// Helpers shared by the parts of Tensor<T>.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <ricci/error.hpp>
#include <ricci/tensor.hpp>

#include "api/tensor_state.hpp"
#include "api/whole_tensor.hpp"

namespace ricci::detail {

/// The state, or an InputError where there is none.
inline TensorState& require_state(const std::shared_ptr<TensorState>& state) {
  if (!state) throw InputError("the tensor is empty (default-constructed or moved from); assign a tensor to it first");
  return *state;
}

template <class T>
T* elements(const TensorState& state) {
  return state.data.as<T>();
}

/// InputError where two tensors of one call belong to different groups of ranks.
inline void require_one_world(const TensorState& a, const TensorState& b) {
  if (communicator_of(a).same_ranks(communicator_of(b))) return;
  throw InputError("the given tensor belongs to another world than the one that it is used with; use one world");
}

/// A number in a message.
template <class T>
std::string to_text(T value) {
  if constexpr (std::is_same_v<T, typename RealOf<T>::type>) {
    return fmt::format("{}", value);
  } else {
    return fmt::format("({}, {})", value.real(), value.imag());
  }
}

/// A factor of -1, 0 or 1, as a real number: times (1, 0) a complex infinity would get a NaN for its other part.
template <class T>
T times(int factor, T value) {
  return static_cast<typename RealOf<T>::type>(factor) * value;
}

/// How far two elements are apart that should be the same: infinitely where only one of them is finite. NaN is like
/// NaN.
template <class T>
double difference(T x, T y) {
  if (x == y || (x != x && y != y)) return 0;
  const double apart = static_cast<double>(std::abs(x - y));
  return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

/// The larger size; what is not finite has none, as nothing could be told apart by it.
template <class T>
double larger(double largest, T value) {
  const double size = static_cast<double>(std::abs(value));
  return std::isfinite(size) ? std::max(largest, size) : largest;
}

/// InputError where the tensor has no such key.
void check_key(const symmetry::Shape& shape, std::int64_t key);

}  // namespace ricci::detail
