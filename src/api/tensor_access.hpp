#pragma once
// Helpers shared by the parts of Tensor<T>.
#include <fmt/format.h>

#include <ricci/error.hpp>
#include <ricci/tensor.hpp>

#include "api/tensor_state.hpp"

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

/// A number in a message.
template <class T>
std::string to_text(T value) {
  if constexpr (std::is_same_v<T, typename RealOf<T>::type>) {
    return fmt::format("{}", value);
  } else {
    return fmt::format("({}, {})", value.real(), value.imag());
  }
}

/// The index of a key: a row-major linear index in the unpacked tensor.
inline void index_of_key(const symmetry::Shape& shape, std::int64_t key, std::int64_t* index) {
  for (int mode = 0; mode < shape.order(); ++mode) {
    const std::int64_t stride = shape.full_strides()[mode];
    index[mode] = key / stride;
    key -= index[mode] * stride;
  }
}

/// InputError where the tensor has no such key.
void check_key(const symmetry::Shape& shape, std::int64_t key);

/// Sets a packed tensor from all of its unpacked elements, which every rank has. Of those that fold to one place the
/// first is stored (in row-major order that is the one with sorted indices) and the others are compared with it.
template <class T>
class SymmetricWriter {
 public:
  explicit SymmetricWriter(const TensorState& target);
  void put(std::span<const std::int64_t> index, T value);
  /// InputError where two elements contradict each other.
  void check() const;
  /// Moves everything into the target.
  void commit() const;

 private:
  const TensorState& target_;
  std::vector<T> values_;
  std::vector<bool> seen_;
  double largest_ = 0, worst_ = 0;
  std::vector<std::int64_t> worst_index_;
  T worst_value_{}, worst_expected_{};
};

}  // namespace ricci::detail
