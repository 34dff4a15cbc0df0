#pragma once
// An axis beside the loop nest that it stands for, so that any block of the one can be held against the other.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/axis.hpp"
#include "sorted_tuples.hpp"

namespace ricci::kernels {

struct Loop {
  int unit;
  std::int64_t block;         // 0: not cut
  std::int64_t first, count;  // the part that is run
};

/// The value of every loop at every position: the high parts of cut loops outside, then the loops with their low parts.
inline std::vector<Tuple> nest(const std::vector<Loop>& loops) {
  std::vector<Tuple> highs{Tuple(loops.size(), 0)};
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (loops[i].block == 0) continue;
    std::vector<Tuple> more;
    for (const Tuple& outer : highs) {
      for (std::int64_t at = 0; at < loops[i].count; at += loops[i].block) more.push_back(outer), more.back()[i] = at;
    }
    highs = std::move(more);
  }
  std::vector<Tuple> positions;
  for (const Tuple& high : highs) {
    std::vector<Tuple> inner{high};
    for (std::size_t i = loops.size(); i-- > 0;) {
      const std::int64_t left = loops[i].count - high[i];
      const std::int64_t count = loops[i].block == 0 ? left : std::min(loops[i].block, left);
      std::vector<Tuple> more;
      for (const Tuple& outer : inner) {
        for (std::int64_t at = 0; at < count; ++at) more.push_back(outer), more.back()[i] += at;
      }
      inner = std::move(more);
    }
    positions.insert(positions.end(), inner.begin(), inner.end());
  }
  for (Tuple& position : positions) {
    for (std::size_t i = 0; i < loops.size(); ++i) position[i] += loops[i].first;
  }
  return positions;
}

class AxisCase {
 public:
  /// Units have the labels 0, 1, 2, … in order. Fastest loop first.
  AxisCase(std::vector<symmetry::Unit> units, std::vector<Loop> loops)
      : units_(std::move(units)), loops_(std::move(loops)), expected_(nest(loops_)) {
    std::vector<int> order;
    std::vector<std::int64_t> blocks;
    for (const Loop& loop : loops_) order.push_back(loop.unit), blocks.push_back(loop.block);
    axis_ = Axis(units_, order, blocks);
    for (const Loop& loop : loops_) {
      if (loop.count < units_[static_cast<std::size_t>(loop.unit)].size) {
        axis_ = axis_.restricted(loop.unit, loop.first, loop.count);
      }
    }
    for (const symmetry::Unit& unit : units_) {
      labels_ += unit.labels.size();
      tuples_.push_back(sorted_tuples(unit.strict, unit.extent, unit.degree()));
    }
    // One access by the labels, as of an unpacked tensor, and one by the ranks of the loops, as of a packed one.
    unpacked_.label_stride.assign(labels_, 0);
    unpacked_.unit_stride.assign(units_.size(), 0);
    packed_ = unpacked_;
    std::int64_t stride = 1;
    for (std::size_t l = 0; l < labels_; ++l, stride *= 100) unpacked_.label_stride[l] = stride;
    stride = 1;
    for (std::size_t u = 0; u < units_.size(); ++u, stride *= 1000) {
      const bool single = units_[u].degree() == 1;
      (single ? packed_.label_stride[static_cast<std::size_t>(units_[u].labels[0])] : packed_.unit_stride[u]) = stride;
    }
  }
  AxisCase(const AxisCase&) = delete;  // the axis refers to the units

  const Axis& axis() const { return axis_; }

  /// From every position on, a few positions and all the rest.
  void check_all_blocks() const {
    const std::int64_t size = axis_.size();
    ASSERT_EQ(size, static_cast<std::int64_t>(expected_.size()));
    for (std::int64_t first = 0; first <= size; ++first) {
      for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, size - first}) {
        if (first + count > size) continue;
        ASSERT_NO_FATAL_FAILURE(check_block(first, count)) << "positions " << first << " + " << count;
      }
    }
  }

 private:
  void check_block(std::int64_t first, std::int64_t count) const {
    AxisBlock block, offsets_alone;
    axis_.generate(first, count, {&unpacked_, &packed_}, std::vector<bool>(labels_, true), block);
    // Without values, a loop over a whole packed group is filled in runs.
    axis_.generate(first, count, {&packed_}, std::vector<bool>(labels_, false), offsets_alone);
    ASSERT_EQ(block.first, first);
    ASSERT_EQ(block.count, count);
    ASSERT_EQ(block.offsets[1], offsets_alone.offsets[0]);
    for (std::int64_t i = 0; i < count; ++i) {
      ASSERT_NO_FATAL_FAILURE(check_position(block, static_cast<std::size_t>(i))) << "position " << first + i;
    }
  }

  void check_position(const AxisBlock& block, std::size_t i) const {
    const Tuple& position = expected_[static_cast<std::size_t>(block.first) + i];
    std::int64_t unpacked = 0, packed = 0;
    double weight = 1;
    for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
      const auto u = static_cast<std::size_t>(loops_[loop].unit);
      const Tuple& values = tuples_[u].at(static_cast<std::size_t>(position[loop]));
      packed += packed_.unit_stride[u] * position[loop];
      for (std::size_t k = 0; k < values.size(); ++k) {
        const auto label = static_cast<std::size_t>(units_[u].labels[k]);
        ASSERT_EQ(block.values[label][i], values[k]) << "label " << label;
        unpacked += unpacked_.label_stride[label] * values[k];
        packed += packed_.label_stride[label] * values[k];
      }
      if (units_[u].shares_repeats && values[0] == values[1]) weight /= 2;
    }
    ASSERT_EQ(block.offsets[0][i], unpacked);
    ASSERT_EQ(block.offsets[1][i], packed);
    ASSERT_EQ(block.weights.empty() ? 1.0 : block.weights[i], weight);
  }

  std::vector<symmetry::Unit> units_;
  std::vector<Loop> loops_;
  std::vector<Tuple> expected_;             // [position][loop]
  std::vector<std::vector<Tuple>> tuples_;  // [unit][rank]
  Axis axis_;
  std::size_t labels_ = 0;
  Access unpacked_, packed_;
};

}  // namespace ricci::kernels
