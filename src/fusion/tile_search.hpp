#pragma once
// Tile sizes of least disk time within a memory limit (seed 003 leaves this search to its reference 6).
//
// Disk time depends on trip counts only, and memory grows with tiles, so of all tiles with the same trip count k the
// least one, ceil(N/k), suffices: about 2 sqrt(N) sizes of each loop. Loops that cost nothing take their least tile.
// The others are searched depth first; the least trip counts that memory leaves to each loop bound the time from below.
#include <limits>
#include <optional>

#include "fusion/tile_problem.hpp"

namespace ricci::fusion {

struct TileOptions {
  /// No tile is smaller than this, or than the extent, so that requests and matrix products are large.
  std::int64_t least_tile = 1;
  /// The result is at most this much, relatively, above the optimum.
  double tolerance = 1e-6;
  /// Give up on proving it after that many steps; `proven` says so.
  std::int64_t most_steps = 200000;
  /// The first tiles that fit and take less than asked for will do.
  bool any = false;
};

struct TileChoice {
  std::vector<std::int64_t> tiles;  // by loop
  double seconds = 0;
  bool proven = true;
};

/// Nothing where no tiles fit, or none take less than `below` seconds.
std::optional<TileChoice> search_tiles(const TileProblem& problem, double limit_bytes, const TileOptions& options,
                                       double below = std::numeric_limits<double>::infinity());

/// Larger tiles of the same disk time for what memory is left over: fewer requests, larger matrix products. First the
/// rows of arrays that lie in rows.
void grow_tiles(const TileProblem& problem, double limit_bytes, std::vector<std::int64_t>& tiles);

/// What the least tiles take.
double least_bytes(const TileProblem& problem, const TileOptions& options);

}  // namespace ricci::fusion
