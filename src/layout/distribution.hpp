#pragma once
// Which rank holds which part of a packed tensor, and where. Pure: it answers for any rank of any number of ranks.
//
// Each mode is cut into tiles. A tile tuple is stored when it is sorted within each symmetry group; where tiles of a
// group are equal, the group's elements are packed within them (unique elements only), and dense elsewhere. So nothing
// is stored twice, and a tile is the unit of distribution.
//
// All of this is a product over the storage dimensions of the shape (modes by themselves and whole groups), here called
// units: a tile of the tensor is a tile of each unit, and so are its size, its owner and the place of an element in it.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ricci/layout.hpp>

#include "layout/tiling.hpp"
#include "symmetry/shape.hpp"

namespace ricci::layout {

/// The tiles of the modes of a unit, sorted.
using TileTuple = std::vector<std::int64_t>;

/// Consecutive modes of a unit that lie in one tile. The rank of their sorted indices (relative to the tile) times
/// `stride` is what they add to the place of an element.
struct TileRun {
  int first, degree;
  std::int64_t tile, size, stride;
};

class Unit {
 public:
  Unit(const symmetry::StorageDim& dim, const Layout& layout);

  int degree() const { return static_cast<int>(modes_.size()); }
  const std::vector<int>& modes() const { return modes_; }
  bool strict() const { return strict_; }
  const Tiling& tiling() const { return tiling_; }
  /// Elements of a tile.
  std::int64_t size(const TileTuple& tile) const;
  /// How they are stored: the first modes run fastest, as in a packed group. Slowest first.
  std::vector<TileRun> runs(const TileTuple& tile) const;
  /// The place of sorted indices within their tile.
  std::int64_t place(const std::int64_t* tile, const std::int64_t* sorted) const;
  /// Sets the grid coordinates along the dimensions that the unit is spread over.
  void locate(const TileTuple& tile, std::span<int> coordinates) const;
  /// Whether those dimensions are the ones of `coordinates`.
  bool is_at(const TileTuple& tile, std::span<const int> coordinates) const;
  /// The tiles at given coordinates, in lexicographic order.
  std::vector<TileTuple> tiles_at(std::span<const int> coordinates) const;
  /// Elements where there are the most of them, of all coordinates.
  std::int64_t largest_size() const;

 private:
  /// All sorted tuples, in lexicographic order.
  template <class F>
  void for_each_tile(F f) const;
  /// Which tile of a sorted tuple stands for which mode, as far as owners go: see the .cpp.
  void assign(const TileTuple& tile, std::int64_t* owner) const;

  std::vector<int> modes_;
  bool strict_;
  Tiling tiling_;
  std::vector<std::vector<int>> dims_;  // [position]: grid dimensions
  std::vector<std::int64_t> ways_;      // [position]: the ranks that it is spread over
  std::vector<int> grid_;               // extents
  std::int64_t period_ = 1;
};

/// The tiles of one rank, stored one after the other, row-major over the units.
class LocalTiles {
 public:
  LocalTiles(const std::vector<Unit>& units, std::span<const int> coordinates);

  /// Elements of the rank.
  std::int64_t size() const { return total_; }
  /// [unit]: the rank's tiles of it.
  const std::vector<std::vector<TileTuple>>& tiles() const { return tiles_; }
  /// Where a tile begins; `numbers` are positions in tiles().
  std::int64_t begin(std::span<const int> numbers) const;
  /// The elements of unit `unit`'s tile number `number`.
  std::int64_t unit_size(std::size_t unit, int number) const { return sizes_[unit][number]; }
  /// The position in tiles()[unit], or -1.
  int find(std::size_t unit, const TileTuple& tile) const;

 private:
  std::vector<std::vector<TileTuple>> tiles_;
  std::vector<std::vector<std::int64_t>> sizes_, before_;  // of each tile of a unit; of all tiles before it
  std::vector<std::int64_t> after_;                        // [unit]: elements of all units after it
  std::int64_t total_ = 1;
};

class Distribution {
 public:
  /// InputError where the layout does not fit the shape or the modes of a group ask for different tiles.
  Distribution(std::shared_ptr<const symmetry::Shape> shape, Layout layout);

  const symmetry::Shape& shape() const { return *shape_; }
  const std::shared_ptr<const symmetry::Shape>& shared_shape() const { return shape_; }
  const Layout& layout() const { return layout_; }
  const std::vector<Unit>& units() const { return units_; }
  int ranks() const { return ranks_; }

  std::vector<int> coordinates(int rank) const;
  int rank(std::span<const int> coordinates) const;
  /// Grid dimensions that hold copies.
  const std::vector<int>& copy_dims() const { return copy_dims_; }
  int copies() const { return copies_; }
  /// Every rank has every element, in the order of the packed tensor.
  bool is_whole() const;
  /// Which of the copies a rank holds.
  int copy_of(int rank) const;
  /// The same rank but for its copy.
  int with_copy(int rank, int copy) const;
  /// Of the ranks that hold copies of a tile (holder is one of them), the one that the receiver gets it from: itself
  /// where it can be, else the copies take turns.
  int source(int holder, int receiver) const;
  /// How many other copies get a rank's part from it where the first copy is sent to all others in a tree.
  int copies_served(int rank) const;

  LocalTiles local(int rank) const;
  /// Elements of the fullest rank.
  std::int64_t largest_size() const;
  /// The rank of copy 0 that holds an element; the index sorted within each group.
  int owner(std::span<const std::int64_t> sorted_index) const;
  bool same_tiles(const Distribution& other) const;
  /// Whether a layout comes to the same thing, though it may be written differently.
  bool is_as(const Layout& other) const;

 private:
  std::shared_ptr<const symmetry::Shape> shape_;
  Layout layout_;
  std::vector<Unit> units_;
  std::vector<int> copy_dims_;
  int ranks_ = 1, copies_ = 1;
};

/// What a tensor gets that nobody has placed: spread over its longest modes.
Layout default_layout(const symmetry::Shape& shape, int ranks);

}  // namespace ricci::layout
