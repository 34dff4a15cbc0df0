#include "storage/slabs.hpp"

#include <algorithm>
#include <utility>

namespace ricci::storage {

Slabs::Slabs(std::vector<std::int64_t> extents, std::int64_t most)
    : extents_(std::move(extents)), cut_(static_cast<int>(extents_.size()) - 1) {
  if (std::find(extents_.begin(), extents_.end(), 0) != extents_.end()) return;
  count_ = 1;
  if (extents_.empty()) return;
  for (; cut_ > 0 && behind_ * extents_[cut_] <= most; --cut_) behind_ *= extents_[cut_];
  step_ = std::clamp<std::int64_t>(most / behind_, 1, extents_[cut_]);
  pieces_ = (extents_[cut_] + step_ - 1) / step_;
  count_ = pieces_;
  for (int mode = 0; mode < cut_; ++mode) count_ *= extents_[mode];
}

Slab Slabs::operator[](std::int64_t number) const {
  if (extents_.empty()) return {0, 1, {}, {}};
  Slab slab{0, 0, std::vector<std::int64_t>(extents_.size()), extents_};
  slab.start[cut_] = number % pieces_ * step_;
  slab.extent[cut_] = std::min(step_, extents_[cut_] - slab.start[cut_]);
  slab.count = slab.extent[cut_] * behind_;
  slab.first = (number / pieces_ * extents_[cut_] + slab.start[cut_]) * behind_;
  std::int64_t before = number / pieces_;
  for (int mode = cut_; mode-- > 0; before /= extents_[mode]) {
    slab.start[mode] = before % extents_[mode];
    slab.extent[mode] = 1;
  }
  return slab;
}

}  // namespace ricci::storage
