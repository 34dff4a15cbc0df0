#include "kernels/shares.hpp"

#include <algorithm>

namespace ricci::kernels {

using symmetry::Fold;
using symmetry::Role;
using symmetry::Unit;

namespace {

// Two values of a loop lead to different elements of C unless the loop's labels share a packed group of C with others.
bool leads_apart(const Unit& unit, const Access& c) {
  for (const GroupAccess& group : c.groups) {
    for (int label : unit.labels) {
      if (std::find(group.labels.begin(), group.labels.end(), label) != group.labels.end()) return false;
    }
  }
  return unit.role != Role::summed;
}

int longest(const Fold& fold, bool summed, const Access& c) {
  int best = -1;
  // A long enough loop of the batch comes first, since nothing is then read twice.
  const auto rank = [](const Unit& unit) {
    constexpr std::int64_t ahead = std::int64_t{1} << 40;
    return unit.role == Role::batch && unit.size >= 16 ? ahead + unit.size : unit.size;
  };
  for (std::size_t u = 0; u < fold.units.size(); ++u) {
    const Unit& unit = fold.units[u];
    if (summed ? unit.role != Role::summed : !leads_apart(unit, c)) continue;
    if (best < 0 || rank(unit) > rank(fold.units[best])) best = static_cast<int>(u);
  }
  return best;
}

std::vector<Share> cut(int unit, std::int64_t size, int threads) {
  // Whole register tiles where there are enough of them.
  const std::int64_t grain = size >= 48 * threads ? 24 : size >= 16 * threads ? 8 : 1;
  const std::int64_t grains = (size + grain - 1) / grain;
  std::vector<Share> parts;
  for (int t = 0; t < threads; ++t) {
    const std::int64_t first = std::min(size, grains * t / threads * grain);
    const std::int64_t last = std::min(size, grains * (t + 1) / threads * grain);
    if (last > first) parts.push_back({unit, first, last - first});
  }
  return parts;
}

}  // namespace

Shares deal_out(const Fold& fold, const Access& c, std::int64_t output_size, int threads) {
  constexpr double least_products = 2e5;                // below, starting threads costs more than it saves
  constexpr std::int64_t small_output = 1 << 16;
  if (threads < 2 || fold.products() < least_products) return {{{}}, false};
  const int apart = longest(fold, false, c), summed = longest(fold, true, c);
  const std::int64_t apart_size = apart < 0 ? 1 : fold.units[apart].size;
  if (apart_size >= threads || (apart_size > 1 && (summed < 0 || output_size > small_output))) {
    return {cut(apart, apart_size, threads), false};
  }
  if (summed >= 0 && fold.units[summed].size > 1 && output_size <= small_output) {
    return {cut(summed, fold.units[summed].size, threads), true};
  }
  return {{{}}, false};
}

}  // namespace ricci::kernels
