#include "compile/parallel_disk_refine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::compiling {

namespace {

class Search {
 public:
  Search(const ParallelDiskCase& c, const ParallelDiskMethod& method)
      : case_(c), method_(method), blocks_(c, method), loops_(blocks_.loops()) {}

  RefinedTiles run() {
    if (!blocks_.fits(finest())) {
      throw ResourceError(fmt::format("{}: not even blocks of one element fit into tiles of {} elements",
                                      name_of(method_), case_.tile_elements));
    }
    best_.seconds = std::numeric_limits<double>::infinity();
    if (const auto closed = rounded_closed_form(case_, method_)) consider(closed->tiles);
    consider(finest());
    if (inner_loops_cost()) {
      search_all(thinned(loops_.shared), thinned(loops_.last), thinned(loops_.free));
      const TileNumbers near = best_.tiles;
      search_all(all_near(loops_.shared, near), all_near(loops_.last, near), all_near(loops_.free, near));
    } else {
      search_pairs();
    }
    return best_;
  }

 private:
  // Only inside rotation communicates more when the free loop or the inner one is cut, and not where that is K's.
  bool inner_loops_cost() const {
    return method_.algorithm == ParallelAlgorithm::rotation && method_.communication == Communication::inside &&
           loops_.first != Array::c;
  }

  double seconds(const TileNumbers& tiles) const {
    return seconds_of(case_, method_, volumes_of(case_, method_, blocks_.resident(), tiles));
  }

  void consider(const TileNumbers& tiles) {
    if (!blocks_.fits(tiles)) return;
    const double time = seconds(tiles);
    if (time < best_.seconds) best_ = {tiles, volumes_of(case_, method_, blocks_.resident(), tiles), time};
  }

  TileNumbers finest() const {
    TileNumbers tiles;
    for (const Label label : all_labels) tiles.outer(label) = static_cast<double>(blocks_.tiles_for(label, 1));
    return tiles;
  }

  // The largest block, and so the fewest tiles, that fits when set() puts it into otherwise finest loops; blocks only
  // grow with it, so that bisection finds it. Nothing where not even one element fits.
  template <class Set>
  std::optional<TileNumbers> fewest(Label label, Set&& set) const {
    std::int64_t fitting = 0, most = blocks_.local(label, {}, false) + 1;
    while (most - fitting > 1) {
      const std::int64_t middle = fitting + (most - fitting) / 2;
      (blocks_.fits(set(middle)) ? fitting : most) = middle;
    }
    if (fitting == 0) return std::nullopt;
    return set(fitting);
  }

  TileNumbers with_finest_inner(TileNumbers tiles) const {
    tiles.inner(loops_.last) = static_cast<double>(blocks_.inner_tiles_for(loops_.last, tiles, 1));
    return tiles;
  }

  std::optional<TileNumbers> fewest_outer(TileNumbers tiles, Label label) const {
    return fewest(label, [&](std::int64_t block) {
      tiles.outer(label) = static_cast<double>(blocks_.tiles_for(label, block));
      return with_finest_inner(tiles);
    });
  }

  std::optional<TileNumbers> fewest_inner(TileNumbers tiles) const {
    return fewest(loops_.last, [&](std::int64_t block) {
      tiles.inner(loops_.last) = static_cast<double>(blocks_.inner_tiles_for(loops_.last, tiles, block));
      return tiles;
    });
  }

  // The next number of tiles with a smaller block, or nothing after blocks of one element.
  std::optional<double> next(Label label, double number) const {
    TileNumbers tiles;
    tiles.outer(label) = number;
    const std::int64_t block = blocks_.local(label, tiles, false);
    if (block <= 1) return std::nullopt;
    return static_cast<double>(blocks_.tiles_for(label, block - 1));
  }

  // The free loop and the inner one cost nothing: only shared1 and last1 count, and of every two of them that are as
  // small as can be, one is at most the other. So two walks, each up to the diagonal, see them all.
  void search_pairs() {
    for (const auto& [walked, other] : {std::pair(loops_.shared, loops_.last), std::pair(loops_.last, loops_.shared)}) {
      for (std::optional<double> number = 1; number; number = next(walked, *number)) {
        TileNumbers tiles = finest();
        tiles.outer(walked) = *number;
        const auto cut = fewest_outer(tiles, other);
        if (!cut) continue;
        if (seconds(*cut) < best_.seconds) finish_pair(*cut);
        if (*number > cut->outer(other)) break;
      }
    }
  }

  // Large blocks for the loops that cost nothing.
  void finish_pair(TileNumbers tiles) {
    const auto free = fewest_outer(tiles, loops_.free);
    const auto inner = free ? fewest_inner(*free) : std::nullopt;
    if (!inner) throw InternalError("a tile that fits with the finest loops fits with no coarser ones");
    consider(*inner);
  }

  std::vector<double> thinned(Label label) const {
    std::vector<double> numbers;
    for (std::optional<double> number = 1; number; number = next(label, *number)) {
      if (!numbers.empty() && *number > 32 && *number < 1.03 * numbers.back()) {
        // Jump over a run of close numbers in one step.
        number = next(label, std::floor(1.03 * numbers.back()));
        if (!number) break;
      }
      numbers.push_back(*number);
    }
    const double finest_number = static_cast<double>(blocks_.tiles_for(label, 1));
    if (numbers.back() < finest_number) numbers.push_back(finest_number);
    return numbers;
  }

  std::vector<double> all_near(Label label, const TileNumbers& tiles) const {
    const double centre = tiles.outer(label);
    std::vector<double> numbers;
    for (std::optional<double> number = std::max(1.0, std::floor(centre / 1.05));
         number && *number <= 1.05 * centre + 1; number = next(label, *number)) {
      numbers.push_back(*number);
      if (numbers.size() == 64) break;
    }
    return numbers;
  }

  // Every number of tiles makes a way dearer or leaves it as it is, so a loop ends when even the rest at 1 is too dear.
  void search_all(const std::vector<double>& shared, const std::vector<double>& last, const std::vector<double>& free) {
    TileNumbers tiles;
    for (const double s : shared) {
      tiles = {};
      tiles.outer(loops_.shared) = s;
      if (seconds(tiles) >= best_.seconds) break;
      for (const double l : last) {
        tiles.outer(loops_.last) = l;
        tiles.outer(loops_.free) = 1;
        if (seconds(tiles) >= best_.seconds) break;
        if (search_free(tiles, free)) break;
      }
    }
  }

  // True where larger numbers of the loop `last` cannot be better.
  bool search_free(TileNumbers tiles, const std::vector<double>& free) {
    for (const double f : free) {
      tiles.outer(loops_.free) = f;
      tiles.inner(loops_.last) = 1;
      if (seconds(tiles) >= best_.seconds) return false;
      const auto cut = fewest_inner(tiles);
      if (!cut) continue;
      consider(*cut);
      // No inner cut that costs, so that more of the free loop cannot help.
      if (cut->inner(loops_.last) == 1 || loops_.last == Label::k) return f == 1;
    }
    return false;
  }

  ParallelDiskCase case_;
  ParallelDiskMethod method_;
  BlockSizes blocks_;
  LoopRoles loops_;
  RefinedTiles best_;
};

}  // namespace

std::optional<RefinedTiles> rounded_closed_form(const ParallelDiskCase& c, const ParallelDiskMethod& method) {
  const auto closed = closed_form(c, method);
  if (!closed) return std::nullopt;
  const BlockSizes blocks(c, method);
  TileNumbers tiles = closed->tiles;
  for (const Label label : all_labels) {
    // More tiles than elements are no finer, and a ceiling just above a whole number is that of a rounding error.
    const auto whole = [](double number, std::int64_t most) {
      return std::clamp(std::ceil(number * (1 - 1e-12)), 1.0, static_cast<double>(most));
    };
    tiles.outer(label) = whole(tiles.outer(label), blocks.extent(label));
    tiles.inner(label) = whole(tiles.inner(label), blocks.global(label, tiles, false));
  }
  const DiskVolumes volumes = volumes_of(c, method, blocks.resident(), tiles);
  return RefinedTiles{tiles, volumes, seconds_of(c, method, volumes)};
}

RefinedTiles refine(const ParallelDiskCase& c, const ParallelDiskMethod& method) {
  check(c);
  return Search(c, method).run();
}

}  // namespace ricci::compiling
