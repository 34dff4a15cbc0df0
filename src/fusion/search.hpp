#pragma once
// What the three searches for fusions and disk placements are given, and what they give.
#include <optional>
#include <string>

#include "fusion/loop_structure.hpp"
#include "fusion/tile_search.hpp"

namespace ricci::fusion {

struct SearchOptions {
  LowerOptions lower;
  TileOptions tiles;
  DiskModel disk;
  /// Optimal search: off, everything is looked at that is not ruled out from the start; tests show that it changes
  /// nothing.
  bool prune = true;
  /// Optimal search: at most that many contractions above one another in one nest; `exhaustive` says if that left any
  /// out.
  int most_fused = 5;
};

/// A way that was not taken, and why.
struct Rival {
  std::string what;
  std::string reason;
  bool operator==(const Rival&) const = default;
};

/// A tree with loops and tiles.
struct TiledTree {
  LoopStructure structure;
  LoopProgram program;
  double seconds = 0;
};

struct SearchResult {
  std::optional<TiledTree> best;  // nothing where no way fits
  std::int64_t candidates = 0;    // loop structures whose tiles were searched
  bool exhaustive = true;
  std::vector<Rival> rivals;
};

/// The tiles of a structure, part by part: each part has all the memory while it runs. Nothing where it does not fit.
std::optional<TiledTree> tile(const Forest& forest, const Tree& tree, const LoopStructure& structure,
                              double limit_bytes, const SearchOptions& options);

/// Section 4: least disk time of all fusions, placements and tiles.
SearchResult optimal_search(const Forest& forest, const Tree& tree, double limit_bytes, const SearchOptions& options);

/// Section 5: candidates that no other one beats in both memory and disk volume at tiles of 1, then their tiles.
SearchResult efficient_search(const Forest& forest, const Tree& tree, double limit_bytes, const SearchOptions& options);

/// The baseline: fusion for least memory at tiles of 1, whatever it costs on disk; then tiles.
SearchResult decoupled_search(const Forest& forest, const Tree& tree, double limit_bytes, const SearchOptions& options);

/// The least memory in which a tree can be evaluated at all, with least tiles and whatever disk time.
double least_memory(const Forest& forest, const Tree& tree, const SearchOptions& options);

/// What every structure has in common: leaves and root where they live, all else undecided.
LoopStructure undecided(const Forest& forest, const Tree& tree);

/// "T1, T3 on disk"; "all in memory".
std::string disk_arrays(const Forest& forest, const Tree& tree, const LoopStructure& structure);

}  // namespace ricci::fusion
