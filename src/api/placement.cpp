#include <fmt/format.h>

#include "api/tensor_state.hpp"

namespace ricci::detail {

Placement::Placement(std::shared_ptr<const symmetry::Shape> shape, Layout layout, int rank)
    : distribution_(std::move(shape), std::move(layout)), tiles_(distribution_.local(rank)) {
  is_whole_ = distribution_.is_whole();
  is_first_copy_ = distribution_.copy_of(rank) == 0;
  const auto add = [this](const std::vector<int>& numbers) {
    for (int number : numbers) fingerprint_ += fmt::format("{},", number);
    fingerprint_ += ';';
  };
  const Layout& placed = distribution_.layout();
  if (distribution_.ranks() == 1) return;
  add(placed.grid().extents());
  for (const auto& dims : placed.mapping()) add(dims);
  add(placed.tiles());
}

const layout::Locator& Placement::locator() const {
  std::call_once(locator_made_, [this] { locator_.emplace(distribution_); });
  return *locator_;
}

}  // namespace ricci::detail
