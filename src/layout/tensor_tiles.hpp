#pragma once
// The tiles of a distributed tensor: numbered alike on all ranks, each of them a small packed tensor by itself.
#include <cstdint>
#include <vector>

#include "layout/distribution.hpp"

namespace ricci::layout {

/// One tile a unit.
using TileTuples = std::vector<TileTuple>;

/// A tile as a tensor. Its modes stand in the order in which it is stored; `modes` are their numbers in the tensor.
struct TileShape {
  symmetry::Shape shape;
  std::vector<int> modes;
};

/// Refers to the distribution.
class TensorTiles {
 public:
  explicit TensorTiles(const Distribution& distribution);

  const Distribution& distribution() const { return *distribution_; }
  /// Tuples are sorted.
  std::int64_t number(const TileTuples& tile) const;
  TileTuples tile(std::int64_t number) const;
  /// A number is made of one for each unit, the rank of its sorted tuple.
  std::int64_t stride(std::size_t unit) const { return stride_[unit]; }
  TileTuple unit_tile(std::size_t unit, std::int64_t rank) const;
  std::int64_t size(const TileTuples& tile) const;
  /// Whether there may be tiles without elements: modes shorter than their tiles are many, or diagonals that are zero.
  bool may_be_empty() const;
  /// The rank that holds it, of the first copy.
  int owner(const TileTuples& tile) const;
  /// Of the ranks that hold a copy, the one that another rank takes it from: itself where it can be, else they take
  /// turns.
  int source(const TileTuples& tile, int receiver) const;
  /// Where a tile begins among those of a rank; -1: the rank does not have it.
  std::int64_t begin(const LocalTiles& tiles, const TileTuples& tile) const;
  TileShape shape(const TileTuples& tile) const;

 private:
  const Distribution* distribution_;
  std::vector<std::int64_t> stride_;  // [unit], of the numbers
};

}  // namespace ricci::layout
