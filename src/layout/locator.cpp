#include "layout/locator.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace ricci::layout {

namespace {

constexpr std::int64_t longest_index_table = 1 << 13, longest_tuple_table = 1 << 20;

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

Locator::Locator(const Distribution& distribution)
    : distribution_(&distribution), ranks_(static_cast<std::size_t>(distribution.ranks())) {
  for (const Unit& unit : distribution.units()) fill_table(unit, units_.emplace_back());
  if (distribution.ranks() == 1) table_of(0);
}

void Locator::fill_table(const Unit& unit, UnitTable& table) const {
  const Tiling& tiling = unit.tiling();
  for (std::int64_t t = 0; t < tiling.count(); ++t) {
    table.begin.push_back(tiling.begin(t));
    table.size.push_back(tiling.size(t));
  }
  // Tiles are numbered, for each owner, in lexicographic order; those without elements are not there.
  std::vector<int> coordinates(distribution_->layout().grid().extents().size(), 0);
  std::unordered_map<int, std::int32_t> count;
  const auto part_of = [&](const TileTuple& tuple) {
    Part part;
    unit.locate(tuple, coordinates);
    part.owner = distribution_->rank(coordinates);
    part.begin = tiling.begin(tuple[0]);
    if (unit.degree() == 1 || unit.size(tuple) > 0) part.number = count[part.owner]++;
    return part;
  };
  if (unit.degree() == 1) {
    table.by_tile = tiling.extent() > longest_index_table;
    table.parts.reserve(static_cast<std::size_t>(table.by_tile ? tiling.count() : tiling.extent()));
    for (std::int64_t t = 0; t < tiling.count(); ++t) {
      const Part part = part_of({t});
      table.parts.insert(table.parts.end(), table.by_tile ? 1 : static_cast<std::size_t>(tiling.size(t)), part);
    }
    return;
  }
  if (tiling.extent() <= longest_index_table) {
    for (std::int64_t i = 0; i < tiling.extent(); ++i) {
      table.tile.push_back(static_cast<std::int32_t>(tiling.tile_of(i)));
    }
  }
  table.parts.resize(static_cast<std::size_t>(tuple_count(unit)));
  TileTuple tuple(static_cast<std::size_t>(unit.degree()));
  for (std::size_t number = 0; number < table.parts.size(); ++number) {
    std::int64_t left = static_cast<std::int64_t>(number);
    for (int k = unit.degree(); k-- > 0; left /= tiling.count()) tuple[k] = left % tiling.count();
    if (std::is_sorted(tuple.begin(), tuple.end())) table.parts[number] = part_of(tuple);
  }
}

/// Without a table.
Locator::Part Locator::part_of_tile(const Unit& unit, const TileTuple& tile) const {
  std::vector<int> coordinates(distribution_->layout().grid().extents().size(), 0);
  unit.locate(tile, coordinates);
  const auto tiles = unit.tiles_at(coordinates);
  Part part;
  part.owner = distribution_->rank(coordinates);
  part.number = static_cast<std::int32_t>(std::lower_bound(tiles.begin(), tiles.end(), tile) - tiles.begin());
  part.begin = unit.tiling().begin(tile[0]);
  return part;
}

std::int64_t Locator::tile_of(std::size_t u, std::int64_t index) const {
  const UnitTable& table = units_[u];
  return table.tile.empty() ? distribution_->units()[u].tiling().tile_of(index) : table.tile[index];
}

Locator::Part Locator::part(std::size_t u, const std::int64_t* sorted_index) const {
  const Unit& unit = distribution_->units()[u];
  const UnitTable& table = units_[u];
  if (unit.degree() == 1) {
    const std::int64_t index = sorted_index[unit.modes()[0]];
    return table.parts[table.by_tile ? unit.tiling().tile_of(index) : index];
  }
  if (table.parts.empty()) {
    TileTuple tile;
    for (int mode : unit.modes()) tile.push_back(unit.tiling().tile_of(sorted_index[mode]));
    return part_of_tile(unit, tile);
  }
  std::int64_t number = 0;
  for (int mode : unit.modes()) number = number * unit.tiling().count() + tile_of(u, sorted_index[mode]);
  return table.parts[number];
}

std::int64_t Locator::place_in_tile(std::size_t u, const Part& part, const std::int64_t* sorted_index) const {
  const Unit& unit = distribution_->units()[u];
  if (unit.degree() == 1) return sorted_index[unit.modes()[0]] - part.begin;
  const UnitTable& table = units_[u];
  if (unit.degree() == 2) {
    const std::int64_t x = sorted_index[unit.modes()[0]], y = sorted_index[unit.modes()[1]];
    const std::int64_t s = tile_of(u, x), t = tile_of(u, y);
    const std::int64_t i = x - table.begin[s], j = y - table.begin[t];
    if (s != t) return i + j * table.size[s];
    return i + (unit.strict() ? j * (j - 1) : j * (j + 1)) / 2;
  }
  std::array<std::int64_t, symmetry::Shape::max_order> sorted, tile;
  for (int k = 0; k < unit.degree(); ++k) {
    sorted[k] = sorted_index[unit.modes()[k]];
    tile[k] = tile_of(u, sorted[k]);
  }
  return unit.place(tile.data(), sorted.data());
}

const Locator::RankTable& Locator::table_of(int rank) const {
  std::unique_ptr<RankTable>& table = ranks_[static_cast<std::size_t>(rank)];
  if (table) return *table;
  table = std::make_unique<RankTable>();
  const LocalTiles tiles = distribution_->local(rank);
  const std::size_t units = units_.size();
  std::int64_t combinations = 1;
  table->combination.assign(units, 1);
  for (std::size_t u = units; u-- > 0;) {
    table->combination[u] = combinations;
    combinations *= static_cast<std::int64_t>(tiles.tiles()[u].size());
  }
  std::vector<int> numbers(units);
  for (std::int64_t c = 0; c < combinations; ++c) {
    for (std::size_t u = 0; u < units; ++u) {
      const auto count = static_cast<std::int64_t>(tiles.tiles()[u].size());
      numbers[u] = static_cast<int>(c / table->combination[u] % count);
    }
    table->begin.push_back(tiles.begin(numbers));
    table->stride.resize(table->stride.size() + units, 1);
    std::int64_t* const stride = table->stride.data() + c * static_cast<std::int64_t>(units);
    for (std::size_t u = units; u-- > 1;) stride[u - 1] = stride[u] * tiles.unit_size(u, numbers[u]);
  }
  return *table;
}

int Locator::owner(const std::int64_t* sorted_index) const {
  int rank = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) rank += part(u, sorted_index).owner;
  return rank;
}

std::int64_t Locator::run_along(const std::int64_t* sorted_index, int mode, std::int64_t moving) const {
  const std::vector<Unit>& units = distribution_->units();
  if (units.empty()) return 1;
  // The first of the last unit's sorted indices runs fastest, up to the end of its tile or to the index after it.
  const Unit& last = units.back();
  const std::vector<int>& modes = last.modes();
  if (std::find(modes.begin(), modes.end(), mode) == modes.end() || sorted_index[modes[0]] != moving) return 1;
  const std::int64_t tile = last.tiling().tile_of(moving);
  const std::int64_t in_tile = last.tiling().begin(tile) + last.tiling().size(tile) - moving;
  if (last.degree() == 1) return in_tile;
  const std::int64_t next = sorted_index[modes[1]];
  return next == moving ? 1 : std::min(in_tile, next - moving + (last.strict() ? 0 : 1));
}

Spot Locator::spot(const std::int64_t* sorted_index) const {
  std::array<std::int32_t, symmetry::Shape::max_order> number;
  std::array<std::int64_t, symmetry::Shape::max_order> in_tile;
  int rank = 0;
  const std::size_t units = units_.size();
  for (std::size_t u = 0; u < units; ++u) {
    const Part found = part(u, sorted_index);
    rank += found.owner;
    number[u] = found.number;
    in_tile[u] = place_in_tile(u, found, sorted_index);
  }
  const RankTable& table = table_of(rank);
  std::int64_t combination = 0;
  for (std::size_t u = 0; u < units; ++u) combination += table.combination[u] * number[u];
  const std::int64_t* const stride = table.stride.data() + combination * static_cast<std::int64_t>(units);
  std::int64_t place = table.begin[combination];
  for (std::size_t u = 0; u < units; ++u) place += in_tile[u] * stride[u];
  return {rank, place};
}

}  // namespace ricci::layout
