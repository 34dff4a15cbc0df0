#pragma once
// Random shapes and layouts, from a seed; and how many tiles there are.
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include <ricci/layout.hpp>

#include "layout/distribution.hpp"
#include "symmetry/packed.hpp"
#include "symmetry/shape.hpp"

namespace ricci::layout {

using Shape = symmetry::Shape;
using ShapePointer = std::shared_ptr<const Shape>;

/// Of sorted tuples, empty ones among them.
inline std::int64_t tile_count(const Distribution& distribution) {
  std::int64_t count = 1;
  for (const Unit& unit : distribution.units()) {
    count *= *symmetry::packed_size(false, unit.tiling().count(), unit.degree());
  }
  return count;
}

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  int below(int n) { return static_cast<int>(generator_() % static_cast<unsigned>(n)); }

  Layout layout(const Shape& shape, int ranks) {
    std::vector<int> grid;
    for (int left = ranks, factor = 2; left > 1;) {
      if (left % factor != 0) {
        ++factor;
      } else if (!grid.empty() && below(2) == 0) {
        grid.back() *= factor;
        left /= factor;
      } else {
        grid.push_back(factor);
        left /= factor;
      }
    }
    if (grid.empty()) grid.push_back(1);
    std::vector<std::vector<int>> mapping(shape.order());
    for (int dim = 0; dim < static_cast<int>(grid.size()); ++dim) {
      const int mode = below(shape.order() + 1);
      if (mode < shape.order()) mapping[mode].push_back(dim);
    }
    std::vector<int> tiles(shape.order(), 0);
    for (const auto& unit : shape.dims()) {
      if (below(3) == 0) {
        for (int mode : unit.modes) tiles[mode] = 1 + below(7);
        for (int mode : unit.modes) tiles[mode] = tiles[unit.modes[0]];
      }
    }
    return Layout(Grid(grid), mapping, tiles);
  }

  ShapePointer shape() {
    const int order = below(5);
    Extents extents;
    for (int mode = 0; mode < order; ++mode) extents.push_back(below(9));
    Symmetry symmetry;
    std::vector<int> modes(order);
    std::iota(modes.begin(), modes.end(), 0);
    std::shuffle(modes.begin(), modes.end(), generator_);
    for (std::size_t first = 0; first < modes.size();) {
      const std::size_t degree = std::min<std::size_t>(1 + below(4), modes.size() - first);
      const std::vector<int> group(modes.begin() + first, modes.begin() + first + degree);
      for (int mode : group) extents[mode] = extents[group[0]];
      if (degree > 1) {
        const int kind = below(3);
        symmetry = symmetry * (kind == 0 ? symmetric(group) : kind == 1 ? antisymmetric(group) : hollow(group));
      }
      first += degree;
    }
    return std::make_shared<Shape>(extents, symmetry);
  }

 private:
  std::mt19937 generator_;
};

}  // namespace ricci::layout
