#pragma once
// A mode cut into tiles of consecutive indices, as equal as can be: the first ones are longer by one where the extent
// is no multiple.
#include <algorithm>
#include <cstdint>

namespace ricci::layout {

class Tiling {
 public:
  Tiling() = default;
  Tiling(std::int64_t extent, std::int64_t count)
      : extent_(extent), count_(count), least_(extent / count), longer_(extent % count) {}

  std::int64_t extent() const { return extent_; }
  std::int64_t count() const { return count_; }
  std::int64_t begin(std::int64_t tile) const { return tile * least_ + std::min(tile, longer_); }
  std::int64_t size(std::int64_t tile) const { return least_ + (tile < longer_ ? 1 : 0); }
  std::int64_t tile_of(std::int64_t index) const {
    const std::int64_t in_longer = longer_ * (least_ + 1);
    return index < in_longer ? index / (least_ + 1) : longer_ + (index - in_longer) / least_;
  }
  bool operator==(const Tiling&) const = default;

 private:
  std::int64_t extent_ = 1, count_ = 1, least_ = 1, longer_ = 0;
};

}  // namespace ricci::layout
