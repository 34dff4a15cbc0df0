#pragma once
// Any layout that a tensor may have.
#include <ricci/ricci.hpp>

#include "dice.hpp"

namespace ricci_test {

/// Folds the ranks into a random grid and places the modes on it at random; some dimensions hold copies. Modes of one
/// group are cut alike.
inline ricci::Layout random_layout(Dice& dice, const ricci::Symmetry& symmetry, int order, int ranks) {
  std::vector<int> grid;
  for (int left = ranks, factor = 2; left > 1;) {
    if (left % factor != 0) {
      ++factor;
      continue;
    }
    if (!grid.empty() && dice.chance(50)) {
      grid.back() *= factor;
    } else {
      grid.push_back(factor);
    }
    left /= factor;
  }
  if (grid.empty()) grid.push_back(1);
  std::vector<std::vector<int>> mapping(static_cast<std::size_t>(order));
  for (int dim = 0; dim < static_cast<int>(grid.size()); ++dim) {
    const int mode = dice.between(0, order);
    if (mode < order) mapping[static_cast<std::size_t>(mode)].push_back(dim);
  }
  std::vector<int> tiles(static_cast<std::size_t>(order), 0);
  for (int& count : tiles) count = dice.chance(30) ? dice.between(1, 5) : 0;
  for (const ricci::SymmetryGroup& group : symmetry.groups()) {
    for (int mode : group.modes)
      tiles[static_cast<std::size_t>(mode)] = tiles[static_cast<std::size_t>(group.modes[0])];
  }
  return ricci::Layout(ricci::Grid(grid), mapping, tiles);
}

}  // namespace ricci_test
