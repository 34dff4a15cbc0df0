#include "compile/parallel_disk_tiles.hpp"

#include <algorithm>

namespace ricci::compile::parallel_disk {

namespace {

std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

}  // namespace

std::int64_t LabelTiles::outer_tiles() const { return std::max<std::int64_t>(1, divide_up(whole(), outer)); }

std::int64_t LabelTiles::inner_tiles(std::int64_t number) const {
  return std::max<std::int64_t>(1, divide_up(range({number, -1}).size, inner));
}

TileRange LabelTiles::range(const TilePlace& at) const {
  if (at.outer < 0) return {0, whole()};
  const std::int64_t begin = std::min(whole(), at.outer * outer), end = std::min(whole(), begin + outer);
  if (at.inner < 0) return {begin, end - begin};
  const std::int64_t first = std::min(end, begin + at.inner * inner);
  return {first, std::min(end, first + inner) - first};
}

TileRange LabelTiles::real(const TileRange& range, std::int64_t part) const {
  const std::int64_t begin = part * whole() + range.begin;
  return {range.begin, std::clamp<std::int64_t>(extent - begin, 0, range.size)};
}

std::int64_t TileGrid::Side::count(TileLevel at) const {
  if (at == TileLevel::whole) return 1;
  const std::int64_t last = tiles.outer_tiles() - 1;
  if (at == TileLevel::outer) return last + 1;
  return last * tiles.inner_tiles(0) + tiles.inner_tiles(last);
}

std::int64_t TileGrid::Side::number(const TilePlaces& at) const {
  const TilePlace& place = at[static_cast<std::size_t>(label)];
  if (level == TileLevel::whole) return 0;
  return level == TileLevel::outer ? place.outer : place.outer * tiles.inner_tiles(0) + place.inner;
}

TileRange TileGrid::Side::range(std::int64_t number, TileLevel at) const {
  if (at == TileLevel::whole) return tiles.range({});
  if (at == TileLevel::outer) return tiles.range({number, -1});
  return tiles.range({number / tiles.inner_tiles(0), number % tiles.inner_tiles(0)});
}

TileRange TileGrid::Side::fine_range(const TilePlaces& at) const {
  const TilePlace& place = at[static_cast<std::size_t>(label)];
  return tiles.range({place.outer, fine == TileLevel::inner ? place.inner : -1});
}

std::vector<TileRange> TileGrid::Side::fine_ranges(std::int64_t number) const {
  const TileRange tile = range(number);
  const std::int64_t block = fine == TileLevel::inner ? tiles.inner : tiles.outer;
  std::vector<TileRange> ranges;
  // Inner tiles begin anew in every outer one.
  for (std::int64_t begin = tile.begin; begin < tile.begin + tile.size;) {
    const std::int64_t outer_end = (begin / tiles.outer + 1) * tiles.outer;
    const std::int64_t end = std::min({begin + block, outer_end, tile.begin + tile.size});
    ranges.push_back({begin, end - begin});
    begin = end;
  }
  return ranges;
}

std::int64_t TileGrid::elements(std::int64_t tile) const { return row_range(tile).size * column_range(tile).size; }

std::int64_t TileGrid::share(std::int64_t tile) const { return divide_up(elements(tile), sharing); }

std::int64_t TileGrid::largest_tile() const { return elements(0); }

std::int64_t TileGrid::largest_fine_tile() const {
  return rows.range(0, rows.fine).size * columns.range(0, columns.fine).size;
}

TileRange TileGrid::fine_tile(const TilePlaces& at) const {
  return fine_tile(number(at), rows.fine_range(at), columns.fine_range(at));
}

TileRange TileGrid::fine_tile(std::int64_t tile, const TileRange& fine_rows, const TileRange& fine_columns) const {
  const TileRange all_rows = row_range(tile), all_columns = column_range(tile);
  const std::int64_t begin =
      (fine_rows.begin - all_rows.begin) * all_columns.size + fine_rows.size * (fine_columns.begin - all_columns.begin);
  return {begin, fine_rows.size * fine_columns.size};
}

}  // namespace ricci::compile::parallel_disk
