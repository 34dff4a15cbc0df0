#include "fusion/tile_search.hpp"

#include <algorithm>

namespace ricci::fusion {

namespace {

std::int64_t trips_of(std::int64_t extent, std::int64_t tile) { return (extent + tile - 1) / tile; }

struct Choice {
  std::int64_t tile, trips;
};

/// The least tile for each trip count that there is, few trips first.
std::vector<Choice> choices_of(std::int64_t extent, std::int64_t least_tile) {
  std::vector<Choice> result;
  for (std::int64_t tile = extent; tile >= std::min(extent, least_tile);) {
    const std::int64_t trips = trips_of(extent, tile);
    const std::int64_t least = std::max(trips_of(extent, trips), std::min(extent, least_tile));
    result.push_back({least, trips});
    tile = least - 1;
    if (tile < 1) break;
  }
  return result;
}

class Search {
 public:
  Search(const TileProblem& problem, double limit, const TileOptions& options, double below)
      : problem_(problem), limit_(limit), options_(options), below_(below), loops_(problem.costly_loops()) {
    for (const std::int64_t extent : problem.extents) {
      tiles_.push_back(std::min(extent, options.least_tile));
      // A loop that costs nothing has as many trips as its least tile makes; others are set one by one.
      trips_.push_back(trips_of(extent, tiles_.back()));
    }
    for (const int loop : loops_) trips_[static_cast<std::size_t>(loop)] = 0;
    for (const int loop : loops_) {
      choices_.push_back(choices_of(problem.extents[static_cast<std::size_t>(loop)], options.least_tile));
    }
  }

  std::optional<TileChoice> run() {
    if (fits()) descend(0);
    if (best_) best_->proven = steps_ <= options_.most_steps;
    return best_;
  }

 private:
  bool fits() const { return problem_.bytes(tiles_, trips_) <= limit_; }

  void set(std::size_t at, const Choice& choice) {
    tiles_[static_cast<std::size_t>(loops_[at])] = choice.tile;
    trips_[static_cast<std::size_t>(loops_[at])] = choice.trips;
  }

  /// Back to what is least in memory.
  void unset(std::size_t at) { set(at, {choices_[at].back().tile, 0}); }

  /// The first choice of a loop that fits, the loops after it being as small as can be; the number of choices if none.
  std::size_t first_fitting(std::size_t at) {
    const auto works = [&](std::size_t c) {
      set(at, choices_[at][c]);
      return fits();
    };
    std::size_t low = 1, high = choices_[at].size();  // a single trip may need but one buffer: it is by itself
    if (works(0)) high = 0, low = 0;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (works(middle))
        high = middle;
      else
        low = middle + 1;
    }
    unset(at);
    return high;
  }

  /// Where fewer trips cannot be, for all loops from `at` on; false where one has nothing that fits.
  bool bound(std::size_t at, std::vector<std::size_t>& first, std::vector<std::int64_t>& trips) {
    trips = trips_;
    first.assign(loops_.size(), 0);
    for (std::size_t i = at; i < loops_.size(); ++i) {
      first[i] = first_fitting(i);
      if (first[i] == choices_[i].size()) return false;
      trips[static_cast<std::size_t>(loops_[i])] = choices_[i][first[i]].trips;
    }
    return true;
  }

  double cutoff() const { return best_ ? std::min(below_, best_->seconds * (1 - options_.tolerance)) : below_; }

  void descend(std::size_t at) {
    if (best_ && (options_.any || ++steps_ > options_.most_steps)) return;
    std::vector<std::size_t> first;
    std::vector<std::int64_t> trips;
    if (!bound(at, first, trips) || problem_.seconds(trips) >= cutoff()) return;
    if (at == loops_.size()) {
      best_ = TileChoice{tiles_, problem_.seconds(trips_), true};
      return;
    }
    for (std::size_t c = first[at]; c < choices_[at].size(); ++c) {
      trips[static_cast<std::size_t>(loops_[at])] = choices_[at][c].trips;
      if (problem_.seconds(trips) >= cutoff()) break;
      set(at, choices_[at][c]);
      if (fits()) descend(at + 1);
    }
    unset(at);
  }

  const TileProblem& problem_;
  double limit_;
  const TileOptions& options_;
  double below_;
  std::vector<int> loops_;
  std::vector<std::vector<Choice>> choices_;  // by costly loop
  std::vector<std::int64_t> tiles_, trips_;   // by loop
  std::optional<TileChoice> best_;
  std::int64_t steps_ = 0;
};

}  // namespace

std::optional<TileChoice> search_tiles(const TileProblem& problem, double limit_bytes, const TileOptions& options,
                                       double below) {
  return Search(problem, limit_bytes, options, below).run();
}

namespace {

/// The last modes of arrays that lie in rows, as far as they can be had whole.
void grow_rows(const TileProblem& problem, double limit_bytes, std::vector<std::int64_t>& tiles,
               std::vector<std::int64_t>& trips) {
  const double time = problem.seconds(trips);
  for (const TileProblem::Flow& flow : problem.flows) {
    for (const int row : flow.rows) {
      const auto loop = static_cast<std::size_t>(row);
      const std::int64_t tile = tiles[loop], trip = trips[loop];
      bool grown = trip == 1;
      for (std::int64_t fewer = 1; fewer < trip && !grown; ++fewer) {
        tiles[loop] = trips_of(problem.extents[loop], fewer);
        trips[loop] = trips_of(problem.extents[loop], tiles[loop]);
        grown = problem.bytes(tiles, trips) <= limit_bytes && problem.seconds(trips) <= time;
      }
      if (!grown) tiles[loop] = tile, trips[loop] = trip;
      if (trips[loop] > 1) break;  // runs end here
    }
  }
}

}  // namespace

void grow_tiles(const TileProblem& problem, double limit_bytes, std::vector<std::int64_t>& tiles) {
  std::vector<std::int64_t> trips;
  for (std::size_t l = 0; l < tiles.size(); ++l) trips.push_back(trips_of(problem.extents[l], tiles[l]));
  const double time = problem.seconds(trips);
  grow_rows(problem, limit_bytes, tiles, trips);
  for (bool grows = true; grows;) {  // each loop in turn, so that blocks stay about square
    grows = false;
    for (std::size_t l = 0; l < tiles.size(); ++l) {
      const std::int64_t tile = tiles[l], trip = trips[l];
      if (trip == 1) continue;
      trips[l] = std::min(trip - 1, trips_of(problem.extents[l], std::min(2 * tile, problem.extents[l])));
      tiles[l] = trips_of(problem.extents[l], trips[l]);
      trips[l] = trips_of(problem.extents[l], tiles[l]);
      if (tiles[l] > tile && problem.bytes(tiles, trips) <= limit_bytes && problem.seconds(trips) <= time) {
        grows = true;
      } else {
        tiles[l] = tile, trips[l] = trip;
      }
    }
  }
}

double least_bytes(const TileProblem& problem, const TileOptions& options) {
  std::vector<std::int64_t> tiles, trips;
  for (const std::int64_t extent : problem.extents) {
    tiles.push_back(std::min(extent, options.least_tile));
    trips.push_back(trips_of(extent, tiles.back()));
  }
  return problem.bytes(tiles, trips);
}

}  // namespace ricci::fusion
