#pragma once
// In which order the loops of an axis run, and which are cut: so that every tensor along the axis is read or written in
// whole cache lines, and where one tensor's fastest loop cannot be the axis's fastest, both advance in small squares.
#include <cstdint>
#include <vector>

#include "kernels/access.hpp"
#include "symmetry/fold.hpp"

namespace ricci::kernels {

/// Loops fastest first, with the sizes at which they are cut (0: not). See Axis.
struct LoopOrder {
  std::vector<int> loops;
  std::vector<std::int64_t> blocks;
};

/// The loops of a role along two tensors. `leader` decides what runs fastest, `follower` what is cut to run beside it.
/// `leader_block` and `follower_block`: the sizes of the squares.
struct OrderRequest {
  symmetry::Role role;
  const Access& leader;
  const Access& follower;
  std::int64_t leader_block, follower_block;
};
LoopOrder order_loops(const symmetry::Fold& fold, const OrderRequest& request);

/// The distance in memory of two neighbouring values of a loop; INT64_MAX where the tensor does not have it.
std::int64_t loop_stride(const Access& access, const symmetry::Unit& unit, int index);

/// The loop of a tensor with the least stride, whatever its role; -1 for a scalar.
int fastest_loop(const symmetry::Fold& fold, const Access& access);

}  // namespace ricci::kernels
