#include "layout/packed_runs.hpp"

#include <algorithm>

namespace ricci::layout {

PackedRuns::PackedRuns(const Locator& locator) : locator_(locator), unique_(locator.distribution().shape()) {
  const Distribution& distribution = locator.distribution();
  fast_ = static_cast<int>(distribution.units().size()) - 1;
  for (; fast_ >= 0 && distribution.units()[fast_].tiling().count() == 1; --fast_) {
    behind_ *= distribution.shape().dims()[fast_].size;
  }
}

PackedRun PackedRuns::at(std::int64_t offset) {
  unique_.seek(offset);
  const auto index = unique_.index();
  const int owner = locator_.owner(index.data());
  if (fast_ < 0) return {locator_.distribution().shape().stored_size() - offset, owner};
  // The first mode of a unit runs fastest, in the packed tensor as in a tile: until it leaves its tile, or meets the
  // next index of its group.
  const Unit& unit = locator_.distribution().units()[fast_];
  const std::int64_t i = index[unit.modes()[0]], tile = unit.tiling().tile_of(i);
  std::int64_t end = unit.tiling().begin(tile) + unit.tiling().size(tile);
  if (unit.degree() > 1) end = std::min(end, index[unit.modes()[1]] + (unit.strict() ? 0 : 1));
  return {(end - i) * behind_ - offset % behind_, owner};
}

std::int64_t PackedRuns::place(std::int64_t offset) {
  unique_.seek(offset);
  return locator_.place(unique_.index().data());
}

}  // namespace ricci::layout
