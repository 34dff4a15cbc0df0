#include "compile/parallel_disk_refine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <ricci/error.hpp>

#include "compile/parallel_disk_tile_finder.hpp"

namespace ricci::compile::parallel_disk {

namespace {

class Search {
 public:
  Search(const ParallelDiskCase& c, const ParallelDiskMethod& method)
      : case_(c), method_(method), blocks_(c, method, {}), finder_(blocks_), loops_(blocks_.loops()) {}

  RefinedTiles run() {
    best_.seconds = std::numeric_limits<double>::infinity();
    for (const ResidentArrays& resident : possible_residents(case_, method_)) {
      blocks_ = BlockSizes(case_, method_, resident);
      search();
    }
    if (std::isinf(best_.seconds)) throw InternalError("tiles of one element fit into no memory");
    coarsen();
    return best_;
  }

 private:
  void search() {
    if (!blocks_.fits(finder_.finest())) return;
    if (const auto closed = rounded_closed_form(case_, method_, blocks_.resident())) consider(closed->tiles);
    consider(finder_.finest());
    if (inner_loops_cost()) {
      // A coarse grid first gives the fine one a bound to prune by.
      for (const double step : {2.0, 1.03}) {
        search_all(finder_.thinned(loops_.shared, step), finder_.thinned(loops_.last, step),
                   finder_.thinned(loops_.free, step));
      }
      const TileNumbers near = best_.tiles;
      search_all(finder_.all_near(loops_.shared, near), finder_.all_near(loops_.last, near),
                 finder_.all_near(loops_.free, near));
    } else {
      search_pairs();
    }
  }

  // Of tiles that take the same time the larger ones: more of them are more statements and messages.
  void coarsen() {
    blocks_ = BlockSizes(case_, method_, best_.resident);
    const auto take = [&](const TileNumbers& tiles) {
      if (blocks_.fits(tiles) && seconds(tiles) <= best_.seconds)
        best_ = {best_.resident, tiles, volumes_of(case_, method_, best_.resident, tiles), seconds(tiles)};
    };
    for (const Label label : {loops_.last, loops_.shared, loops_.free}) take(finder_.with_coarsest(best_.tiles, label));
    if (const auto inner = finder_.fewest_inner(best_.tiles)) take(*inner);
  }

  // Only inside rotation communicates more when the free loop or the inner one is cut, where that is not K's.
  bool inner_loops_cost() const {
    return method_.algorithm == ParallelAlgorithm::rotation && method_.communication == Communication::inside;
  }

  double seconds(const TileNumbers& tiles) const {
    return seconds_of(case_, method_, volumes_of(case_, method_, blocks_.resident(), tiles));
  }

  void consider(const TileNumbers& tiles) {
    if (!blocks_.fits(tiles)) return;
    const double time = seconds(tiles);
    if (time < best_.seconds)
      best_ = {blocks_.resident(), tiles, volumes_of(case_, method_, blocks_.resident(), tiles), time};
  }

  // The free loop and the inner one cost nothing: only shared1 and last1 count, and of every two of them that are as
  // small as can be, one is at most the other. So two walks, each up to the diagonal, see them all.
  void search_pairs() {
    for (const auto& [walked, other] : {std::pair(loops_.shared, loops_.last), std::pair(loops_.last, loops_.shared)}) {
      for (std::optional<double> number = 1; number; number = finder_.next(walked, *number)) {
        TileNumbers tiles = finder_.finest();
        tiles.outer(walked) = *number;
        const auto cut = finder_.fewest_outer(tiles, other);
        if (!cut) continue;
        if (seconds(*cut) < best_.seconds) finish_pair(*cut);
        if (*number > cut->outer(other)) break;
      }
    }
  }

  // Large blocks for the loops that cost nothing.
  void finish_pair(TileNumbers tiles) {
    const auto free = finder_.fewest_outer(tiles, loops_.free);
    const auto inner = free ? finder_.fewest_inner(*free) : std::nullopt;
    if (!inner) throw InternalError("a tile that fits with the finest loops fits with no coarser ones");
    consider(*inner);
  }

  // Every number of tiles makes a way dearer or leaves it as it is, so a loop ends when even the rest at 1 is too dear.
  void search_all(const std::vector<double>& shared, const std::vector<double>& last, const std::vector<double>& free) {
    for (const double s : shared) {
      TileNumbers tiles;
      tiles.outer(loops_.shared) = s;
      if (seconds(tiles) >= best_.seconds) break;
      search_last(tiles, last, free);
    }
    for (const double l : last) {
      TileNumbers tiles = finder_.finest();
      tiles.outer(loops_.last) = l;
      const auto least = finder_.fewest_outer(tiles, loops_.shared);
      if (least) search_free(with_last(*least, l), free);
    }
  }

  TileNumbers with_last(TileNumbers tiles, double number) const {
    tiles.outer(loops_.last) = number;
    tiles.outer(loops_.free) = tiles.inner(loops_.last) = 1;
    return tiles;
  }

  // The fewest tiles of `last` that fit, whether they are in the list or not, then those of the list that are more.
  void search_last(const TileNumbers& tiles, const std::vector<double>& last, const std::vector<double>& free) {
    TileNumbers fine = finder_.finest();
    fine.outer(loops_.shared) = tiles.outer(loops_.shared);
    const auto least = finder_.fewest_outer(fine, loops_.last);
    if (!least) return;
    const double fewest_last = least->outer(loops_.last);
    if (search_free(with_last(tiles, fewest_last), free)) return;
    for (auto l = std::upper_bound(last.begin(), last.end(), fewest_last); l != last.end(); ++l) {
      const TileNumbers cut = with_last(tiles, *l);
      if (seconds(cut) >= best_.seconds || search_free(cut, free)) return;
    }
  }

  // True where larger numbers of the loop `last` cannot be better.
  bool search_free(TileNumbers tiles, const std::vector<double>& free) {
    if (loops_.free == Label::k) return search_inner(tiles);
    if (seconds(tiles) >= best_.seconds) return false;
    const auto least = finder_.fewest_outer(tiles, loops_.free);
    if (!least) return false;
    const double fewest_free = least->outer(loops_.free);
    if (const auto done = consider_free(tiles, fewest_free)) return *done && fewest_free == 1;
    for (auto number = std::upper_bound(free.begin(), free.end(), fewest_free); number != free.end(); ++number) {
      if (consider_free(tiles, *number)) return false;
    }
    return false;
  }

  // Something where more of the free loop cannot help; true where there is no inner cut that costs.
  std::optional<bool> consider_free(TileNumbers tiles, double number) {
    tiles.outer(loops_.free) = number;
    tiles.inner(loops_.last) = 1;
    if (seconds(tiles) >= best_.seconds) return false;
    const auto cut = finder_.fewest_inner(tiles);
    if (!cut) throw InternalError("a finer tile does not fit where a coarser one does");
    consider(*cut);
    if (cut->inner(loops_.last) == 1 || loops_.last == Label::k) return true;
    return std::nullopt;
  }

  // As search_free, where the free loop costs nothing: as fine as needed for the least inner cut.
  bool search_inner(TileNumbers tiles) {
    tiles.outer(loops_.free) = finder_.finest().outer(loops_.free);
    tiles.inner(loops_.last) = 1;
    const auto cut = finder_.fewest_inner(tiles);
    if (!cut) return false;
    if (seconds(*cut) < best_.seconds) consider(finder_.with_coarsest(*cut, loops_.free));
    return cut->inner(loops_.last) == 1;
  }

  ParallelDiskCase case_;
  ParallelDiskMethod method_;
  BlockSizes blocks_;
  TileFinder finder_;  // of blocks_
  LoopRoles loops_;
  RefinedTiles best_;
};

}  // namespace

std::optional<RefinedTiles> rounded_closed_form(const ParallelDiskCase& c, const ParallelDiskMethod& method,
                                                ResidentArrays resident) {
  const auto closed = closed_form(c, method);
  if (!closed) return std::nullopt;
  const BlockSizes blocks(c, method, resident);
  TileNumbers tiles = closed->tiles;
  for (const Label label : all_labels) {
    // More tiles than elements are no finer, and a ceiling just above a whole number is that of a rounding error.
    const auto whole = [](double number, std::int64_t most) {
      return std::clamp(std::ceil(number * (1 - 1e-12)), 1.0, static_cast<double>(most));
    };
    tiles.outer(label) = whole(tiles.outer(label), blocks.extent(label));
    tiles.inner(label) = whole(tiles.inner(label), blocks.global(label, tiles, false));
  }
  const DiskVolumes volumes = volumes_of(c, method, resident, tiles);
  return RefinedTiles{resident, tiles, volumes, seconds_of(c, method, volumes)};
}

RefinedTiles refine(const ParallelDiskCase& c, const ParallelDiskMethod& method) {
  check(c);
  return Search(c, method).run();
}

}  // namespace ricci::compile::parallel_disk
