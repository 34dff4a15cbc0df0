#pragma once
// A tensor cut into blocks: which ones there are, and what each rank has of them. Pure: no data, no MPI.
//
// Each mode is cut into tiles of one size (the last may be smaller), modes of one symmetry group alike. A block is a
// tile of each mode; it is canonical when its tiles are sorted within each group. Only canonical blocks are kept, and
// one whose tiles are equal within a group keeps that much of the symmetry. So nothing is stored twice, and any other
// block is a canonical one read in another order of its modes, with a sign.
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "symmetry/shape.hpp"

namespace ricci::compile {

/// For each mode lo <= index < hi.
struct Box {
  std::vector<std::int64_t> lo, hi;
  bool operator==(const Box&) const = default;
};

/// A block as it stands, by the number of the canonical one that holds its elements.
struct CanonicalBlock {
  std::int64_t number = 0;
  std::vector<std::int64_t> tiles;  // sorted within groups
  std::vector<int> order;           // mode m of the canonical block is mode order[m] of the block asked for
  int sign = 1;                     // with which it is read
};

class BlockCatalog {
 public:
  /// `tile`: the size of each mode's tiles, at least 1. InternalError where modes of a group have different ones.
  BlockCatalog(symmetry::Shape shape, std::vector<std::int64_t> tile);

  const symmetry::Shape& shape() const { return shape_; }
  const std::vector<std::int64_t>& tile() const { return tile_; }
  std::int64_t tiles(int mode) const { return counts_[static_cast<std::size_t>(mode)]; }
  /// Of all modes' tiles, canonical or not.
  std::int64_t blocks() const { return static_cast<std::int64_t>(canonical_.size()); }

  CanonicalBlock find(const std::vector<std::int64_t>& tiles) const;
  /// Tiles of a canonical block.
  const std::vector<std::int64_t>& tiles_of(std::int64_t number) const {
    return canonical_[static_cast<std::size_t>(number)];
  }
  Box box(const std::vector<std::int64_t>& tiles) const;
  /// Of the canonical block, with what symmetry is left of it.
  symmetry::Shape block_shape(std::int64_t number) const;
  /// How many blocks are read from this one: 1 where nothing is symmetric.
  double multiplicity(std::int64_t number) const;
  /// The first and last tiles (inclusive) of each mode that a box touches.
  Box tiles_touched(const Box& box) const;
  /// Whether a box is exactly one block.
  bool is_block(const Box& box) const;

 private:
  symmetry::Shape shape_;
  std::vector<std::int64_t> tile_, counts_;
  std::vector<std::vector<std::int64_t>> canonical_;          // by number
  std::map<std::vector<std::int64_t>, std::int64_t> number_;  // of canonical tiles
};

/// Elements of each canonical block that a rank has where blocks are laid out by default. Equal shapes are asked once.
std::vector<std::int64_t> share_of_blocks(const BlockCatalog& catalog, int ranks, int rank);

}  // namespace ricci::compile
