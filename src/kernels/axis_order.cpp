#include "kernels/axis_order.hpp"

#include <algorithm>

namespace ricci::kernels {

using symmetry::Fold;
using symmetry::Unit;

std::int64_t loop_stride(const Access& access, const Unit& unit, int index) {
  std::int64_t stride = access.unit_stride[index];
  const auto consider = [&stride](std::int64_t candidate) {
    if (candidate > 0 && (stride == 0 || candidate < stride)) stride = candidate;
  };
  for (int label : unit.labels) {
    consider(access.label_stride[label]);
    for (const GroupAccess& group : access.groups) {
      if (std::find(group.labels.begin(), group.labels.end(), label) != group.labels.end()) consider(group.stride);
    }
  }
  return stride > 0 ? stride : INT64_MAX;
}

int fastest_loop(const Fold& fold, const Access& access) {
  int fastest = -1;
  std::int64_t least = INT64_MAX;
  for (std::size_t u = 0; u < fold.units.size(); ++u) {
    if (fold.units[u].size == 1) continue;
    const std::int64_t stride = loop_stride(access, fold.units[u], static_cast<int>(u));
    if (stride < least) least = stride, fastest = static_cast<int>(u);
  }
  return fastest;
}

LoopOrder order_loops(const Fold& fold, const OrderRequest& request) {
  LoopOrder order;
  for (std::size_t u = 0; u < fold.units.size(); ++u) {
    if (fold.units[u].role == request.role) order.loops.push_back(static_cast<int>(u));
  }
  const auto key = [&](int u) {
    return std::pair(loop_stride(request.leader, fold.units[u], u), loop_stride(request.follower, fold.units[u], u));
  };
  std::stable_sort(order.loops.begin(), order.loops.end(), [&](int x, int y) { return key(x) < key(y); });
  order.blocks.assign(order.loops.size(), 0);

  // The follower's fastest loop comes second, and both are cut.
  const int second = fastest_loop(fold, request.follower);
  const auto at = std::find(order.loops.begin(), order.loops.end(), second);
  if (at == order.loops.end() || at == order.loops.begin()) return order;
  std::rotate(order.loops.begin() + 1, at, at + 1);
  order.blocks[0] = request.leader_block;
  order.blocks[1] = request.follower_block;
  return order;
}

}  // namespace ricci::kernels
