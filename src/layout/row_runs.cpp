#include "layout/row_runs.hpp"

#include <algorithm>

namespace ricci::layout {

RowRuns::RowRuns(const Locator& locator)
    : locator_(locator),
      shape_(locator.distribution().shape()),
      unit_(locator.distribution().units()[shape_.dim_of_mode(shape_.order() - 1)]),
      split_(shape_) {}

RowRun RowRuns::at(std::int64_t key) {
  split_(key, index_.data());
  std::copy_n(index_.begin(), shape_.order(), sorted_.begin());
  const int last = shape_.order() - 1, factor = symmetry::sort_index(shape_, sorted_.data());
  const std::int64_t here = index_[last];
  // It ends where the last index meets another of its group, or leaves its tile.
  std::int64_t end = shape_.extents()[last];
  bool meets = false;
  before_ = 0;
  for (int mode : unit_.modes()) {
    if (mode == last) continue;
    meets = meets || index_[mode] == here;
    before_ += index_[mode] <= here ? 1 : 0;
    if (index_[mode] > here) end = std::min(end, index_[mode]);
  }
  // Where it has met one it vanishes alone; else all of the row does.
  if (factor == 0) return {meets ? 1 : shape_.extents()[last] - here, -1, 0, false};
  const std::int64_t tile = unit_.tiling().tile_of(here);
  end = std::min(end, unit_.tiling().begin(tile) + unit_.tiling().size(tile));
  const bool sorted = std::equal(index_.begin(), index_.begin() + shape_.order(), sorted_.begin());
  return {end - here, locator_.owner(sorted_.data()), factor, sorted};
}

int RowRuns::first_places(std::int64_t count, Differences& places) {
  // The degree of the polynomial is at most the position of the last index in its group, counted from 1.
  const int known = static_cast<int>(std::min<std::int64_t>(before_ + 2, count));
  std::int64_t& moving = sorted_[unit_.modes()[before_]];
  for (int i = 0; i < known; ++i, ++moving) places[i] = locator_.place(sorted_.data());
  moving -= known;
  return known;
}

}  // namespace ricci::layout
