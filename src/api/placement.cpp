#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "api/tensor_state.hpp"

namespace ricci::detail {

Placement::Placement(std::shared_ptr<const symmetry::Shape> shape, Layout layout, int rank)
    : distribution_(std::move(shape), std::move(layout)), tiles_(distribution_.local(rank)) {
  const auto& units = distribution_.units();
  is_whole_ = distribution_.copies() == distribution_.ranks() &&
              std::all_of(units.begin(), units.end(), [](const auto& unit) { return unit.tiling().count() == 1; });
  is_first_copy_ = distribution_.copy_of(rank) == 0;
}

// Each unit is spread over grid dimensions of its own, so some rank has the most of every one of them.
std::int64_t Placement::largest_size() const {
  const Layout& layout = distribution_.layout();
  const std::vector<int>& grid = layout.grid().extents();
  std::int64_t largest = 1;
  for (const layout::Unit& unit : distribution_.units()) {
    std::vector<int> dims, at(grid.size(), 0);
    for (int mode : unit.modes()) dims.insert(dims.end(), layout.mapping()[mode].begin(), layout.mapping()[mode].end());
    std::int64_t most = 0;
    for (bool more = true; more;) {
      std::int64_t size = 0;
      for (const layout::TileTuple& tile : unit.tiles_at(at)) size += unit.size(tile);
      most = std::max(most, size);
      more = false;
      for (std::size_t k = 0; k < dims.size() && !more; ++k) {
        more = at[dims[k]] + 1 < grid[dims[k]];
        at[dims[k]] = more ? at[dims[k]] + 1 : 0;
      }
    }
    largest *= most;
  }
  return largest;
}

const layout::Locator& Placement::locator() const {
  std::call_once(locator_made_, [this] { locator_.emplace(distribution_); });
  return *locator_;
}

}  // namespace ricci::detail
