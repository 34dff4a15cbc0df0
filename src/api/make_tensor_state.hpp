#pragma once
#include <memory>

#include <ricci/tensor.hpp>

#include "api/tensor_state.hpp"

namespace ricci::detail {

/// How the library gets from a tensor to its state and back.
struct TensorDoor {
  template <class T>
  static TensorState& state(const Tensor<T>& tensor) {
    return *tensor.state_;
  }
  /// Null where the tensor is empty.
  template <class T>
  static const std::shared_ptr<TensorState>& share(const Tensor<T>& tensor) {
    return tensor.state_;
  }
  template <class T>
  static Tensor<T> tensor(std::shared_ptr<TensorState> state) {
    return Tensor<T>(std::move(state));
  }
};

/// A zero tensor.
std::shared_ptr<TensorState> make_tensor_state(const World& world, ElementType type, Extents extents,
                                               Symmetry symmetry);

enum class Contents { zero, anything };
/// One of many tensors of a few sizes that come and go: its memory comes from the world's pool where that has some of
/// about the size (BufferPool::take_spare), and goes back there. Never more is kept than was in use at a time.
/// Collective.
std::shared_ptr<TensorState> make_recycled_state(const World& world, ElementType type, const symmetry::Shape& shape,
                                                 Contents contents);

}  // namespace ricci::detail
