#include <algorithm>

#include "api/tensor_state.hpp"

namespace ricci::detail {

Placement::Placement(std::shared_ptr<const symmetry::Shape> shape, Layout layout, int rank)
    : distribution_(std::move(shape), std::move(layout)), tiles_(distribution_.local(rank)) {
  const auto& units = distribution_.units();
  is_whole_ = distribution_.copies() == distribution_.ranks() &&
              std::all_of(units.begin(), units.end(), [](const auto& unit) { return unit.tiling().count() == 1; });
  is_first_copy_ = distribution_.copy_of(rank) == 0;
}

const layout::Locator& Placement::locator() const {
  std::call_once(locator_made_, [this] { locator_.emplace(distribution_); });
  return *locator_;
}

}  // namespace ricci::detail
