#pragma once
// An axis: some loops of a folded index space run as one long index, in a chosen order.
//
// The matrices that a contraction is run as have an axis of rows and an axis of columns. A block of consecutive
// positions of an axis is turned into one offset a position for every tensor that is read or written along it, so
// that any layout, permutation and packed symmetry looks alike to the kernels.
#include <cstdint>
#include <vector>

#include "kernels/access.hpp"
#include "symmetry/fold.hpp"

namespace ricci::kernels {

/// What the kernels see of a block of an axis.
struct AxisBlock {
  std::int64_t first = 0, count = 0;
  std::vector<std::vector<std::int64_t>> offsets;  // [access][position]: the linear part
  std::vector<std::vector<std::int64_t>> values;   // [label][position]; empty where no access needs the label
  std::vector<double> weights;                     // [position] 1 / Π m_v!; empty where all are 1
};

class Axis {
 public:
  /// `loops`, fastest first, are positions in `units`. `blocks[i]` > 0 cuts loop i: its low part runs at the loop's
  /// place and its high part outside of everything, so that two loops can advance together in small squares.
  Axis(const std::vector<symmetry::Unit>& units, std::vector<int> loops, std::vector<std::int64_t> blocks = {});
  Axis() = default;

  /// The same axis with one of its loops restricted to [first, first + count): a thread's share.
  Axis restricted(int unit, std::int64_t first, std::int64_t count) const;

  std::int64_t size() const { return size_; }
  /// The positions that the cut parts of the two fastest loops span together; 1 where none is cut.
  std::int64_t rectangle() const;
  const std::vector<int>& loops() const { return loops_; }

  /// Fills `block` with positions [first, first + count).
  void generate(std::int64_t first, std::int64_t count, const std::vector<const Access*>& accesses,
                const std::vector<bool>& wanted_labels, AxisBlock& block) const;

 private:
  struct Digit {
    int unit;
    std::int64_t first, count;  // of the loop
    std::int64_t block;         // 0: the loop is not cut
    bool high;
  };
  struct Cursor;
  void count_positions();

  const std::vector<symmetry::Unit>* units_ = nullptr;
  std::vector<int> loops_;
  std::vector<Digit> digits_;  // fastest first
  std::int64_t size_ = 1;
};

}  // namespace ricci::kernels
