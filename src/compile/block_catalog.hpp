#pragma once
// A tensor cut into blocks: which ones there are, and what each rank has of them. Pure: no data, no MPI.
//
// Each mode is cut into tiles, mostly of one size (the last may be smaller), modes of one symmetry group alike. A block
// is a tile of each mode; it is canonical when its tiles are sorted within each group. Only canonical blocks are kept,
// and one whose tiles are equal within a group keeps that much of the symmetry. So nothing is stored twice, and any
// other block is a canonical one read in another order of its modes, with a sign.
#include <cstdint>
#include <memory>
#include <vector>

#include "layout/box.hpp"
#include "symmetry/shape.hpp"

namespace ricci::compile {

using layout::Box;

/// [mode]: the first index of each of its tiles, ascending from 0; none where the extent is 0.
using Cuts = std::vector<std::vector<std::int64_t>>;

/// Tiles of one size, at least 1, of each mode.
Cuts cuts_of(const Extents& extents, const std::vector<std::int64_t>& tile);
/// The size of a mode's tiles where all but the last have it; 0 where they have different ones.
std::int64_t size_of_tiles(std::int64_t extent, const std::vector<std::int64_t>& cuts);
std::int64_t largest_tile(std::int64_t extent, const std::vector<std::int64_t>& cuts);
/// Without symmetry.
std::int64_t blocks_of(const Cuts& cuts);
/// Tiles of which those of both are made up.
Cuts common_refinement(const Cuts& a, const Cuts& b);

/// A block as it stands, by the number of the canonical one that holds its elements.
struct CanonicalBlock {
  std::int64_t number = 0;
  std::vector<std::int64_t> tiles;  // sorted within groups
  std::vector<int> order;           // mode m of the canonical block is mode order[m] of the block asked for
  int sign = 1;                     // with which it is read
};

class BlockCatalog {
 public:
  /// InternalError where modes of a group are cut differently.
  BlockCatalog(symmetry::Shape shape, Cuts cuts);
  BlockCatalog(const symmetry::Shape& shape, const std::vector<std::int64_t>& tile)
      : BlockCatalog(shape, cuts_of(shape.extents(), tile)) {}

  const symmetry::Shape& shape() const { return shape_; }
  const Cuts& cuts() const { return cuts_; }
  std::int64_t tiles(int mode) const { return static_cast<std::int64_t>(cuts_[static_cast<std::size_t>(mode)].size()); }
  /// Canonical ones.
  std::int64_t blocks() const { return tiles_.stored_size(); }

  CanonicalBlock find(const std::vector<std::int64_t>& tiles) const;
  /// Tiles of a canonical block.
  std::vector<std::int64_t> tiles_of(std::int64_t number) const;
  Box box(const std::vector<std::int64_t>& tiles) const;
  /// Of the canonical block, with what symmetry is left of it.
  symmetry::Shape block_shape(std::int64_t number) const;
  /// How many blocks are read from this one: 1 where nothing is symmetric.
  double multiplicity(std::int64_t number) const;
  /// The tiles of each mode that a box touches: lo <= tile < hi.
  Box tiles_touched(const Box& box) const;
  /// Whether a box is exactly one block.
  bool is_block(const Box& box) const;

 private:
  symmetry::Shape shape_;
  Cuts cuts_;
  symmetry::Shape tiles_;  // of sorted tiles: a canonical block is numbered as the element there is stored
};

/// Elements of each canonical block that a rank has where blocks are laid out by default. Equal shapes are asked once.
std::vector<std::int64_t> share_of_blocks(const BlockCatalog& catalog, int ranks, int rank);

}  // namespace ricci::compile
