#include "layout/locator.hpp"

#include <algorithm>

#include "symmetry/packed.hpp"

namespace ricci::layout {

namespace {

constexpr std::int64_t longest_index_table = 1 << 16, longest_tuple_table = 1 << 20;

/// Tile tuples as numbers, the first mode slowest. 0: too many for a table.
std::int64_t tuple_count(const Unit& unit) {
  std::int64_t count = 1;
  for (int k = 0; k < unit.degree(); ++k) {
    count *= unit.tiling().count();
    if (count > longest_tuple_table) return 0;
  }
  return count;
}

}  // namespace

Locator::Locator(const Distribution& distribution, const LocalTiles& tiles)
    : distribution_(&distribution), tiles_(&tiles) {
  std::vector<int> coordinates(distribution.layout().grid().extents().size(), 0);
  for (std::size_t u = 0; u < distribution.units().size(); ++u) {
    const Unit& unit = distribution.units()[u];
    UnitTable& table = units_.emplace_back();
    if (unit.tiling().extent() <= longest_index_table) {
      for (std::int64_t i = 0; i < unit.tiling().extent(); ++i) {
        table.tile.push_back(static_cast<std::int32_t>(unit.tiling().tile_of(i)));
      }
    }
    for (std::int64_t t = 0; t < unit.tiling().count(); ++t) {
      table.begin.push_back(unit.tiling().begin(t));
      table.size.push_back(unit.tiling().size(t));
    }
    table.owner.assign(tuple_count(unit), 0);
    table.number.assign(tuple_count(unit), -1);
    TileTuple tuple(unit.degree());
    for (std::int64_t number = 0; number < tuple_count(unit); ++number) {
      std::int64_t left = number;
      for (int k = unit.degree(); k-- > 0; left /= unit.tiling().count()) tuple[k] = left % unit.tiling().count();
      if (!std::is_sorted(tuple.begin(), tuple.end())) continue;
      std::fill(coordinates.begin(), coordinates.end(), 0);
      unit.locate(tuple, coordinates);
      table.owner[number] = distribution.rank(coordinates);
      table.number[number] = tiles.find(u, tuple);
    }
  }
  std::int64_t combinations = 1;
  combination_.assign(units_.size(), 1);
  for (std::size_t u = units_.size(); u-- > 0;) {
    combination_[u] = combinations;
    combinations *= static_cast<std::int64_t>(tiles.tiles()[u].size());
  }
  std::vector<int> numbers(units_.size());
  for (std::int64_t c = 0; c < combinations; ++c) {
    for (std::size_t u = 0; u < units_.size(); ++u) {
      numbers[u] = static_cast<int>(c / combination_[u] % static_cast<std::int64_t>(tiles.tiles()[u].size()));
    }
    begin_.push_back(tiles.begin(numbers));
    stride_.resize(stride_.size() + units_.size(), 1);
    std::int64_t* const stride = stride_.data() + c * static_cast<std::int64_t>(units_.size());
    for (std::size_t u = units_.size(); u-- > 1;) stride[u - 1] = stride[u] * tiles.unit_size(u, numbers[u]);
  }
}

std::int64_t Locator::tile_of(std::size_t u, std::int64_t index) const {
  const UnitTable& table = units_[u];
  return table.tile.empty() ? distribution_->units()[u].tiling().tile_of(index) : table.tile[index];
}

Locator::Found Locator::find(std::size_t u, const std::int64_t* sorted_index) const {
  const Unit& unit = distribution_->units()[u];
  Found found;
  found.tuple = 0;
  for (int k = 0; k < unit.degree(); ++k) {
    found.tiles[k] = tile_of(u, sorted_index[unit.modes()[k]]);
    found.tuple = found.tuple * unit.tiling().count() + found.tiles[k];
  }
  return found;
}

int Locator::owner(const std::int64_t* sorted_index) const {
  int rank = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const Found found = find(u, sorted_index);
    if (!units_[u].owner.empty()) {
      rank += units_[u].owner[found.tuple];
      continue;
    }
    const Unit& unit = distribution_->units()[u];
    std::vector<int> coordinates(distribution_->layout().grid().extents().size(), 0);
    unit.locate(TileTuple(found.tiles, found.tiles + unit.degree()), coordinates);
    rank += distribution_->rank(coordinates);
  }
  return rank;
}

std::int64_t Locator::number(std::size_t u, const Found& found) const {
  if (!units_[u].number.empty()) return units_[u].number[found.tuple];
  return tiles_->find(u, TileTuple(found.tiles, found.tiles + distribution_->units()[u].degree()));
}

std::int64_t Locator::place_in_tile(std::size_t u, const Found& found, const std::int64_t* sorted_index) const {
  const Unit& unit = distribution_->units()[u];
  const UnitTable& table = units_[u];
  const auto relative = [&](int k) { return sorted_index[unit.modes()[k]] - table.begin[found.tiles[k]]; };
  if (unit.degree() == 1) return relative(0);
  if (unit.degree() == 2) {
    const std::int64_t i = relative(0), j = relative(1);
    if (found.tiles[0] != found.tiles[1]) return i + j * table.size[found.tiles[0]];
    return i + (unit.strict() ? j * (j - 1) : j * (j + 1)) / 2;
  }
  std::int64_t sorted[symmetry::Shape::max_order];
  for (int k = 0; k < unit.degree(); ++k) sorted[k] = sorted_index[unit.modes()[k]];
  return unit.place(TileTuple(found.tiles, found.tiles + unit.degree()), sorted);
}

std::int64_t Locator::place(const std::int64_t* sorted_index) const {
  std::int64_t combination = 0;
  std::int64_t in_tile[symmetry::Shape::max_order];
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const Found found = find(u, sorted_index);
    combination += combination_[u] * number(u, found);
    in_tile[u] = place_in_tile(u, found, sorted_index);
  }
  const std::int64_t* const stride = stride_.data() + combination * static_cast<std::int64_t>(units_.size());
  std::int64_t place = begin_[combination];
  for (std::size_t u = 0; u < units_.size(); ++u) place += in_tile[u] * stride[u];
  return place;
}

}  // namespace ricci::layout
