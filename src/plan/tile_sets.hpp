#pragma once
// Which tiles the ranks of a contraction need and make.
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "plan/block_mapping.hpp"
#include "plan/block_program.hpp"
#include "plan/tile_sources.hpp"

namespace ricci::planning {

enum Operand { first = 0, second = 1 };

/// Found once for all ranks that agree in the coordinates that matter. Refers to the contraction.
class TileSets {
 public:
  using Numbers = std::vector<std::int64_t>;  // sorted

  explicit TileSets(const BlockContraction& contraction);

  const BlockContraction& contraction() const { return contraction_; }
  /// The combinations of tiles of summed units that a rank runs in a phase.
  std::span<const BlockTiles> steps(int rank, int phase) const;
  /// The tiles of an operand.
  const Numbers& needed(Operand operand, int rank, int phase);
  /// The tiles of C that a rank has results for.
  const Numbers& made(int rank);
  /// Elements of those, by owner.
  using Owners = std::vector<std::pair<int, double>>;
  const Owners& made_for(int rank);

 private:
  /// What made() depends on.
  std::vector<int> key_of_results(int rank) const;
  const std::vector<BlockTiles>& all_steps(int rank) const;
  /// Which part of the steps comes in a phase.
  int panel_of(int rank, int phase) const;

  const BlockContraction& contraction_;
  std::vector<int> summed_;  // units
  std::map<std::vector<int>, Numbers> needed_[2], made_;
  std::map<std::vector<int>, Owners> made_for_;
  TileSources owners_;
  WordsOfRanks found_;
  mutable std::map<std::vector<int>, std::vector<BlockTiles>> steps_;  // of all phases, by coordinates
};

}  // namespace ricci::planning
