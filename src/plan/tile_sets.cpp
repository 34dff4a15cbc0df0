#include "plan/tile_sets.hpp"

#include <algorithm>

namespace ricci::planning {

using layout::TensorTiles;
using symmetry::Role;

namespace {

/// Sorted, each once, without tiles that have no elements.
void tidy(TileSets::Numbers& numbers, const TensorTiles& all) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (!all.may_be_empty()) return;
  std::erase_if(numbers, [&](std::int64_t number) { return all.size(all.tile(number)) == 0; });
}

}  // namespace

TileSets::TileSets(const BlockContraction& contraction)
    : contraction_(contraction),
      owners_(*contraction.terms.c().distribution, *contraction.terms.c().distribution),
      found_(contraction.mapping.ranks()) {
  for (std::size_t u = 0; u < contraction.mapping.units().size(); ++u) {
    if (contraction.mapping.units()[u].role == Role::summed) summed_.push_back(static_cast<int>(u));
  }
}

const std::vector<BlockTiles>& TileSets::all_steps(int rank) const {
  std::vector<int> key;
  if (contraction_.mapping.works(rank)) {
    key = contraction_.mapping.coordinates(rank, summed_);
    key.push_back(1);
  }
  const auto [entry, is_new] = steps_.try_emplace(std::move(key));
  if (is_new) {
    BlockTiles tiles = contraction_.mapping.no_tiles();
    contraction_.mapping.part(rank).for_each(summed_, tiles, [&] { entry->second.push_back(tiles); });
  }
  return entry->second;
}

std::span<const BlockTiles> TileSets::steps(int rank, int phase) const {
  const std::vector<BlockTiles>& all = all_steps(rank);
  const auto count = static_cast<std::int64_t>(all.size());
  const std::int64_t panel = panel_of(rank, phase);
  const std::int64_t begin = count * panel / contraction_.phases, end = count * (panel + 1) / contraction_.phases;
  return std::span(all).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

int TileSets::panel_of(int rank, int phase) const {
  return (phase + contraction_.mapping.first_panel(rank, contraction_.phases)) % contraction_.phases;
}

const TileSets::Numbers& TileSets::needed(Operand operand, int rank, int phase) {
  const TiledTensor& tensor = operand == first ? contraction_.terms.a() : contraction_.terms.b();
  std::vector<int> units = contraction_.mapping.units_of(tensor);
  // Which steps a phase has depends on the summed units, too.
  std::vector<int> relevant = units;
  relevant.insert(relevant.end(), summed_.begin(), summed_.end());
  std::vector<int> key = contraction_.mapping.coordinates(rank, relevant);
  key.push_back(panel_of(rank, phase));
  key.push_back(contraction_.mapping.works(rank));
  const auto [entry, is_new] = needed_[operand].try_emplace(std::move(key));
  if (!is_new) return entry->second;
  std::erase_if(units, [&](int u) { return contraction_.mapping.units()[u].role == Role::summed; });
  const TensorTiles all(*tensor.distribution);
  Numbers& numbers = entry->second;
  const auto& part = contraction_.mapping.part(rank);
  BlockTiles tiles;
  for (const BlockTiles& step : steps(rank, phase)) {
    tiles = step;
    part.for_each(units, tiles, [&] { contraction_.terms.add_numbers(operand == second, all, tiles, numbers); });
  }
  tidy(numbers, all);
  return numbers;
}

std::vector<int> TileSets::key_of_results(int rank) const {
  std::vector<int> relevant = contraction_.mapping.units_of(contraction_.terms.c());
  relevant.insert(relevant.end(), summed_.begin(), summed_.end());
  std::vector<int> key = contraction_.mapping.coordinates(rank, relevant);
  key.push_back(contraction_.mapping.works(rank));
  return key;
}

const TileSets::Owners& TileSets::made_for(int rank) {
  const auto [entry, is_new] = made_for_.try_emplace(key_of_results(rank));
  if (is_new) {
    for (std::int64_t number : made(rank)) owners_.add(number, found_);
    entry->second = found_.take();
  }
  return entry->second;
}

const TileSets::Numbers& TileSets::made(int rank) {
  const auto [entry, is_new] = made_.try_emplace(key_of_results(rank));
  if (!is_new) return entry->second;
  const std::vector<int> units = contraction_.mapping.units_of(contraction_.terms.c());
  const TensorTiles all(*contraction_.terms.c().distribution);
  Numbers& numbers = entry->second;
  BlockTiles tiles = contraction_.mapping.no_tiles();
  if (!all_steps(rank).empty()) {
    contraction_.mapping.part(rank).for_each(units, tiles,
                                             [&] { numbers.push_back(contraction_.terms.number_of_c(all, tiles)); });
  }
  tidy(numbers, all);
  return numbers;
}

}  // namespace ricci::planning
