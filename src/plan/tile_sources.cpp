#include "plan/tile_sources.hpp"

#include <algorithm>

#include "layout/redistribution.hpp"

namespace ricci::planning {

std::vector<std::pair<int, double>> WordsOfRanks::take() {
  std::sort(ranks_.begin(), ranks_.end());
  std::vector<std::pair<int, double>> result;
  for (int rank : ranks_) result.emplace_back(rank, std::exchange(words_[rank], 0));
  ranks_.clear();
  return result;
}

TileSources::TileSources(const layout::Distribution& stored, const layout::Distribution& tiles)
    : stored_(stored), cut_(tiles), numbers_(tiles), known_(tiles.units().size()) {}

const std::vector<TileSources::Share>& TileSources::shares(std::size_t unit, std::int64_t rank) {
  const auto [entry, is_new] = known_[unit].try_emplace(rank);
  std::vector<Share>& found = entry->second;
  if (!is_new) return found;
  const layout::Unit &cut = cut_.units()[unit], &stored = stored_.units()[unit];
  const layout::TileTuple tile = numbers_.unit_tile(unit, rank);
  for (const layout::TileTuple& tuple : overlapping(cut, tile, stored)) {
    std::vector<int> coordinates(stored_.layout().grid().extents().size(), 0);
    stored.locate(tuple, coordinates);
    const int at = stored_.rank(coordinates);
    const auto common = static_cast<double>(common_elements(cut, tile, stored, tuple));
    const auto same = std::find_if(found.begin(), found.end(), [&](const Share& share) { return share.at == at; });
    if (same == found.end()) {
      found.push_back({at, common});
    } else {
      same->elements += common;
    }
  }
  return found;
}

void TileSources::add(std::int64_t number, WordsOfRanks& words) {
  holders_.assign(1, {0, 1});
  for (std::size_t u = 0; u < known_.size(); ++u) {
    const std::vector<Share>& here = shares(u, number / numbers_.stride(u));
    number %= numbers_.stride(u);
    next_.clear();
    for (const Share& holder : holders_) {
      for (const Share& share : here) next_.push_back({holder.at + share.at, holder.elements * share.elements});
    }
    std::swap(holders_, next_);
  }
  for (const Share& holder : holders_) words.add(holder.at, holder.elements);
}

}  // namespace ricci::planning
