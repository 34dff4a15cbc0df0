#include "plan/fair_shares.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace ricci::planning {

void FairShares::solve(std::vector<FairFlow>& flows) {
  std::fill(room_.begin(), room_.end(), 1.0);
  std::fill(weight_.begin(), weight_.end(), 0.0);
  std::fill(begin_.begin(), begin_.end(), 0);
  for (FairFlow& flow : flows) {
    flow.rate = -1;
    for (const LinkUse& use : flow.uses) {
      weight_[use.link] += use.part * flow.weight;
      ++begin_[use.link + 1];
    }
  }
  for (std::size_t link = 1; link < begin_.size(); ++link) begin_[link] += begin_[link - 1];
  flows_of_.resize(static_cast<std::size_t>(begin_.back()));
  std::vector<std::int32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    for (const LinkUse& use : flows[f].uses) flows_of_[next[use.link]++] = static_cast<std::int32_t>(f);
  }

  // The share of a link only grows as flows of others get their rates: an entry that is too low comes back.
  using Entry = std::pair<double, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> fullest;
  const auto share = [&](std::int32_t link) { return std::max(0.0, room_[link]) / weight_[link]; };
  for (std::int32_t link = 0; link < static_cast<std::int32_t>(room_.size()); ++link) {
    if (begin_[link] < begin_[link + 1]) fullest.emplace(share(link), link);
  }
  constexpr double none = 1e-9;  // of a weight: what rounding leaves
  while (!fullest.empty()) {
    const auto [known, link] = fullest.top();
    fullest.pop();
    if (weight_[link] <= none) continue;
    const double here = share(link);
    if (here > known * (1 + 1e-9)) {
      fullest.emplace(here, link);
      continue;
    }
    for (std::int32_t i = begin_[link]; i < begin_[link + 1]; ++i) {
      FairFlow& flow = flows[flows_of_[i]];
      if (flow.rate >= 0) continue;
      flow.rate = here * flow.weight;
      for (const LinkUse& use : flow.uses) {
        room_[use.link] -= use.part * flow.rate;
        weight_[use.link] -= use.part * flow.weight;
      }
    }
  }
}

}  // namespace ricci::planning
