#pragma once
// Which tiles the ranks of a contraction need and make.
#include <cstdint>
#include <map>
#include <vector>

#include "plan/block_mapping.hpp"
#include "plan/block_program.hpp"

namespace ricci::planning {

enum Operand { first = 0, second = 1 };

/// Found once for all ranks that agree in the coordinates that matter. Refers to the contraction.
class TileSets {
 public:
  using Numbers = std::vector<std::int64_t>;  // sorted

  explicit TileSets(const BlockContraction& contraction);

  const BlockContraction& contraction() const { return contraction_; }
  /// The combinations of tiles of summed units that a rank runs in a phase.
  std::vector<BlockTiles> steps(int rank, int phase) const;
  /// The tiles of an operand.
  const Numbers& needed(Operand operand, int rank, int phase);
  /// The tiles of C that a rank has results for.
  const Numbers& made(int rank);

 private:
  const std::vector<BlockTiles>& all_steps(int rank) const;
  /// Which part of the steps comes in a phase.
  int panel_of(int rank, int phase) const;

  const BlockContraction& contraction_;
  std::vector<int> summed_;  // units
  std::map<std::vector<int>, Numbers> needed_[2], made_;
  mutable std::map<int, std::vector<BlockTiles>> steps_;  // [rank]: of all phases
};

}  // namespace ricci::planning
