#include "compile/parallel_disk_tile_finder.hpp"

#include <algorithm>
#include <cmath>

namespace ricci::compile::parallel_disk {

TileNumbers TileFinder::finest() const {
  TileNumbers tiles;
  for (const Label label : all_labels) tiles.outer(label) = static_cast<double>(blocks_.tiles_for(label, 1));
  return tiles;
}

// The largest block, and so the fewest tiles, that fits when set() puts it into otherwise finest loops; blocks only
// grow with it, so that bisection finds it. Nothing where not even one element fits.
template <class Set>
std::optional<TileNumbers> TileFinder::fewest(Label label, Set&& set) const {
  std::int64_t fitting = 0, most = blocks_.local(label, {}, false) + 1;
  while (most - fitting > 1) {
    const std::int64_t middle = fitting + (most - fitting) / 2;
    (blocks_.fits(set(middle)) ? fitting : most) = middle;
  }
  if (fitting == 0) return std::nullopt;
  return set(fitting);
}

std::optional<TileNumbers> TileFinder::fewest_outer(TileNumbers tiles, Label label) const {
  return fewest(label, [&](std::int64_t block) {
    tiles.outer(label) = static_cast<double>(blocks_.tiles_for(label, block));
    const Label last = blocks_.loops().last;
    tiles.inner(last) = static_cast<double>(blocks_.inner_tiles_for(last, tiles, 1));
    return tiles;
  });
}

// Directly, as this is what the search does most.
std::optional<TileNumbers> TileFinder::fewest_inner(TileNumbers tiles) const {
  tiles.inner(blocks_.loops().last) = 1;
  const double room = blocks_.room_for_third(tiles);
  if (room < 1) return std::nullopt;
  if (blocks_.held(blocks_.loops().third, tiles) <= room) return tiles;
  if (blocks_.resident().of(blocks_.loops().third)) return std::nullopt;
  const auto block = static_cast<std::int64_t>(room) / blocks_.local(blocks_.loops().free, tiles, false);
  if (block == 0) return std::nullopt;
  tiles.inner(blocks_.loops().last) = static_cast<double>(blocks_.inner_tiles_for(blocks_.loops().last, tiles, block));
  return tiles;
}

std::optional<double> TileFinder::next(Label label, double number) const {
  TileNumbers tiles;
  tiles.outer(label) = number;
  const std::int64_t block = blocks_.local(label, tiles, false);
  if (block <= 1) return std::nullopt;
  return static_cast<double>(blocks_.tiles_for(label, block - 1));
}

std::vector<double> TileFinder::thinned(Label label, double step) const {
  std::vector<double> numbers = {1};
  const double all_up_to = step < 1.5 ? 32 : 1;
  while (true) {
    const double last = numbers.back();
    const auto number = next(label, last < all_up_to ? last : std::max(last, std::floor(step * last)));
    if (!number) break;
    numbers.push_back(*number);
  }
  const double finest_number = finest().outer(label);
  if (numbers.back() < finest_number) numbers.push_back(finest_number);
  return numbers;
}

std::vector<double> TileFinder::all_near(Label label, const TileNumbers& tiles) const {
  const double centre = tiles.outer(label);
  std::vector<double> numbers;
  for (std::optional<double> number = std::max({1.0, std::floor(centre / 1.05), centre - 32});
       number && *number <= 1.05 * centre + 1; number = next(label, *number)) {
    numbers.push_back(*number);
    if (numbers.size() == 64) break;
  }
  return numbers;
}

TileNumbers TileFinder::with_coarsest(TileNumbers tiles, Label label) const {
  const auto coarse = fewest(label, [&](std::int64_t block) {
    tiles.outer(label) = static_cast<double>(blocks_.tiles_for(label, block));
    return tiles;
  });
  return coarse.value_or(tiles);
}

}  // namespace ricci::compile::parallel_disk
