#pragma once
// All elements of a tensor in the order of the packed tensor, on every rank.
#include <functional>
#include <optional>
#include <span>

#include "api/tensor_state.hpp"
#include "comm/communicator.hpp"
#include "util/buffer_pool.hpp"

namespace ricci::detail {

const comm::Communicator& communicator_of(const TensorState& state);

/// Moves this rank's elements to another placement of the same shape. ResourceError on all ranks where memory does not
/// suffice on one. Collective.
AlignedBuffer moved(const TensorState& state, const Placement& to);
/// The tensor gets this memory, with its elements in this placement; what it had goes to the pool.
void replace_data(TensorState& state, AlignedBuffer data, std::shared_ptr<const Placement> placement);

/// Gives the elements of the first copy to all others. Collective where there are any.
void refresh_copies(const TensorState& state);

class WholeTensor {
 public:
  /// Collective, unless the tensor is whole already: then it is the tensor's own memory.
  explicit WholeTensor(const TensorState& state);

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  /// All elements, to memory that has room for them. Collective, unless the tensor is whole.
  static void copy_to(const TensorState& state, std::byte* out);
  /// Whether the elements of the ranks, one rank after the other, are all of the tensor in its order.
  static bool comes_in_order(const TensorState& state);
  /// Calls f with all elements in order, some at a time, without keeping them. Collective, unless the tensor is whole;
  /// only where it comes in order.
  static void stream(const TensorState& state, const std::function<void(std::span<const std::byte>)>& f);

 private:
  std::optional<PooledBuffer> copy_;
  std::byte* data_ = nullptr;
};

}  // namespace ricci::detail
