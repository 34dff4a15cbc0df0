#pragma once
// A row-major array cut into boxes that are contiguous and of bounded size, in order.
#include <cstdint>
#include <vector>

namespace ricci::storage {

struct Slab {
  std::int64_t first = 0;            // linear position of its first element
  std::int64_t count = 0;            // elements
  std::vector<std::int64_t> start;   // one a mode
  std::vector<std::int64_t> extent;  // one a mode
};

/// Slabs of at most `most` elements (at least one) that together are the whole array. A scalar is one slab; an array
/// with an extent of 0 has none.
class Slabs {
 public:
  Slabs(std::vector<std::int64_t> extents, std::int64_t most);

  std::int64_t count() const { return count_; }
  /// The most elements that any of them has; 0 where there is none.
  std::int64_t largest() const { return count_ == 0 ? 0 : step_ * behind_; }
  Slab operator[](std::int64_t number) const;

 private:
  // Modes behind `cut_` are whole in a slab, `cut_` itself is split into pieces of `step_`, those before it are single.
  std::vector<std::int64_t> extents_;
  int cut_;
  std::int64_t behind_ = 1;  // elements of all modes behind the cut
  std::int64_t step_ = 1, pieces_ = 1, count_ = 0;
};

}  // namespace ricci::storage
