#include "fusion/solution_fronts.hpp"

#include <algorithm>

namespace ricci::fusion {

std::size_t SolutionFronts::Hash::operator()(const std::vector<LabelSet>& order) const {
  std::uint64_t hash = order.size();
  for (const LabelSet set : order) hash = (hash ^ set) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return static_cast<std::size_t>(hash);
}

void SolutionFronts::add(Solution solution) {
  Solutions& front = fronts_[solution.order];
  for (const Solution& other : front) {
    if (leq(other, solution)) return;
  }
  std::erase_if(front, [&](const Solution& other) { return leq(solution, other); });
  front.push_back(std::move(solution));
}

/// Less constraining orders rank fewer pairs: they lack some of the cuts between ranks. Looking those few up is quicker
/// than comparing all solutions with each other.
bool SolutionFronts::is_beaten(const Solution& solution) const {
  const std::size_t cuts = solution.order.size();
  std::vector<LabelSet> order;
  for (unsigned kept = 0; kept + 1 < (1u << cuts); ++kept) {  // all cuts kept is the order itself
    order.clear();
    LabelSet rank = 0;
    for (std::size_t c = 0; c < cuts; ++c) {
      rank |= solution.order[c];
      if (!((kept >> c) & 1)) continue;
      order.push_back(rank);
      rank = 0;
    }
    const auto found = fronts_.find(order);
    if (found == fronts_.end()) continue;
    for (const Solution& other : found->second) {
      if (leq(other, solution)) return true;
    }
  }
  return false;
}

Solutions SolutionFronts::take() {
  Solutions kept;
  for (const auto& [order, front] : fronts_) {
    std::copy_if(front.begin(), front.end(), std::back_inserter(kept),
                 [&](const Solution& s) { return !is_beaten(s); });
  }
  fronts_.clear();
  std::sort(kept.begin(), kept.end(), [](const Solution& a, const Solution& b) {
    if (a.memory != b.memory) return a.memory < b.memory;
    return a.disk != b.disk ? a.disk < b.disk : a.order < b.order;
  });
  return kept;
}

}  // namespace ricci::fusion
