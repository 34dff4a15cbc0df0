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
      : case_(c), method_(method), blocks_(c, method, {}), loops_(blocks_.loops()) {}

  RefinedTiles run() {
    best_.seconds = std::numeric_limits<double>::infinity();
    for (const ResidentArrays& resident : possible_residents(case_, method_)) {
      blocks_ = BlockSizes(case_, method_, resident);
      search();
    }
    if (std::isinf(best_.seconds)) throw InternalError("tiles of one element fit into no memory");
    return best_;
  }

 private:
  void search() {
    if (!blocks_.fits(finest())) return;
    if (const auto closed = rounded_closed_form(case_, method_, blocks_.resident())) consider(closed->tiles);
    consider(finest());
    if (inner_loops_cost()) {
      // A coarse grid first gives the fine one a bound to prune by.
      for (const double step : {2.0, 1.03}) {
        search_all(thinned(loops_.shared, step), thinned(loops_.last, step), thinned(loops_.free, step));
      }
      const TileNumbers near = best_.tiles;
      search_all(all_near(loops_.shared, near), all_near(loops_.last, near), all_near(loops_.free, near));
    } else {
      search_pairs();
    }
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

  // Directly, as this is what the search does most.
  std::optional<TileNumbers> fewest_inner(TileNumbers tiles) const {
    tiles.inner(loops_.last) = 1;
    const double room = blocks_.room_for_third(tiles);
    if (room < 1) return std::nullopt;
    if (blocks_.held(loops_.third, tiles) <= room) return tiles;
    if (blocks_.resident().of(loops_.third)) return std::nullopt;
    const auto block = static_cast<std::int64_t>(room) / blocks_.local(loops_.free, tiles, false);
    if (block == 0) return std::nullopt;
    tiles.inner(loops_.last) = static_cast<double>(blocks_.inner_tiles_for(loops_.last, tiles, block));
    return tiles;
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

  // Numbers of tiles that differ by a factor of `step`; by 1 up to 32 where the step is small.
  std::vector<double> thinned(Label label, double step) const {
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

  std::vector<double> all_near(Label label, const TileNumbers& tiles) const {
    const double centre = tiles.outer(label);
    std::vector<double> numbers;
    for (std::optional<double> number = std::max({1.0, std::floor(centre / 1.05), centre - 32});
         number && *number <= 1.05 * centre + 1; number = next(label, *number)) {
      numbers.push_back(*number);
      if (numbers.size() == 64) break;
    }
    return numbers;
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
      TileNumbers tiles = finest();
      tiles.outer(loops_.last) = l;
      const auto least = fewest_outer(tiles, loops_.shared);
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
    TileNumbers fine = finest();
    fine.outer(loops_.shared) = tiles.outer(loops_.shared);
    const auto least = fewest_outer(fine, loops_.last);
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
    const auto least = fewest_outer(tiles, loops_.free);
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
    const auto cut = fewest_inner(tiles);
    if (!cut) throw InternalError("a finer tile does not fit where a coarser one does");
    consider(*cut);
    if (cut->inner(loops_.last) == 1 || loops_.last == Label::k) return true;
    return std::nullopt;
  }

  // As search_free, where the free loop costs nothing: as fine as needed for the least inner cut.
  bool search_inner(TileNumbers tiles) {
    tiles.outer(loops_.free) = finest().outer(loops_.free);
    tiles.inner(loops_.last) = 1;
    const auto cut = fewest_inner(tiles);
    if (!cut) return false;
    if (seconds(*cut) < best_.seconds) consider(with_coarsest(*cut, loops_.free));
    return cut->inner(loops_.last) == 1;
  }

  TileNumbers with_coarsest(TileNumbers tiles, Label label) const {
    const auto coarse = fewest(label, [&](std::int64_t block) {
      tiles.outer(label) = static_cast<double>(blocks_.tiles_for(label, block));
      return tiles;
    });
    return coarse.value_or(tiles);
  }

  ParallelDiskCase case_;
  ParallelDiskMethod method_;
  BlockSizes blocks_;
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

}  // namespace ricci::compiling
