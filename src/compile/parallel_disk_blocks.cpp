#include "compile/parallel_disk_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::compile::parallel_disk {

namespace {

std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

}  // namespace

BlockSizes::BlockSizes(const ParallelDiskCase& c, const ParallelDiskMethod& method, ResidentArrays resident)
    : case_(c), loops_(roles_of(method.order)), parts_{1, 1, 1}, resident_(resident) {
  if (method.algorithm == ParallelAlgorithm::rotation) {
    const auto side = c.grid_side();
    if (!side) throw InputError(fmt::format("rotation needs a square number of ranks, not {}", c.ranks));
    std::fill(parts_, parts_ + 3, *side);
  } else {
    const Label spread = method.algorithm == ParallelAlgorithm::accumulation ? Label::k
                         : method.replicated == Array::a                     ? Label::j
                                                                             : Label::i;
    parts_[static_cast<int>(spread)] = c.ranks;
  }
}

std::int64_t BlockSizes::extent(Label label) const {
  return label == Label::i ? case_.i : label == Label::j ? case_.j : case_.k;
}

std::int64_t BlockSizes::parts(Label label) const { return parts_[static_cast<int>(label)]; }

std::int64_t BlockSizes::global(Label label, const TileNumbers& tiles, bool with_inner) const {
  const std::int64_t outer = divide_up(extent(label), static_cast<std::int64_t>(tiles.outer(label)));
  return with_inner ? divide_up(outer, static_cast<std::int64_t>(tiles.inner(label))) : outer;
}

std::int64_t BlockSizes::local(Label label, const TileNumbers& tiles, bool with_inner) const {
  return divide_up(global(label, tiles, with_inner), parts(label));
}

std::int64_t BlockSizes::tiles_for(Label label, std::int64_t block) const {
  return divide_up(extent(label), std::min(extent(label), block * parts(label)));
}

std::int64_t BlockSizes::inner_tiles_for(Label label, const TileNumbers& tiles, std::int64_t block) const {
  const std::int64_t outer = global(label, tiles, false);
  return divide_up(outer, std::min(outer, block * parts(label)));
}

double BlockSizes::held(Array array, const TileNumbers& tiles) const {
  const auto [x, y] = labels_of(array);
  const bool third = array == loops_.third;
  const TileNumbers whole;
  const TileNumbers& n = resident_.of(array) ? whole : tiles;
  return static_cast<double>(local(x, n, third && x == loops_.last)) *
         static_cast<double>(local(y, n, third && y == loops_.last));
}

double BlockSizes::room_for_third(const TileNumbers& tiles) const {
  const double m = static_cast<double>(case_.tile_elements);
  const double first = held(loops_.first, tiles), second = held(loops_.second, tiles);
  if (case_.divide_memory_freely) return 3 * m - first - second;
  return std::max(first, second) <= m ? m : -1;
}

bool BlockSizes::fits(const TileNumbers& tiles) const { return held(loops_.third, tiles) <= room_for_third(tiles); }

std::vector<ResidentArrays> possible_residents(const ParallelDiskCase& c, const ParallelDiskMethod& method) {
  const BlockSizes blocks(c, method, {});
  const double m = static_cast<double>(c.tile_elements);
  const double a = blocks.held(Array::a, {}), b = blocks.held(Array::b, {}), out = blocks.held(Array::c, {});
  if (!c.divide_memory_freely) return {{a <= m, b <= m, out <= m}};
  std::vector<ResidentArrays> possible;
  for (int set = 7; set >= 0; --set) {
    const ResidentArrays resident{(set & 1) != 0, (set & 2) != 0, (set & 4) != 0};
    const double kept = (resident.a ? a : 1) + (resident.b ? b : 1) + (resident.c ? out : 1);
    if (kept <= 3 * m) possible.push_back(resident);
  }
  return possible;
}

}  // namespace ricci::compile::parallel_disk
