#pragma once
// Finding single elements, fast: which rank holds an index, and where. Tables over indices and tiles, made once, turn
// both into a few look-ups.
#include <cstdint>
#include <vector>

#include "layout/distribution.hpp"

namespace ricci::layout {

class Locator {
 public:
  /// For questions of one rank. Refers to the distribution and the rank's tiles.
  Locator(const Distribution& distribution, const LocalTiles& tiles);

  /// The rank of copy 0 that holds an element; the index sorted within each group.
  int owner(const std::int64_t* sorted_index) const;
  /// Where this rank stores it; it must be one of this rank's.
  std::int64_t place(const std::int64_t* sorted_index) const;

 private:
  struct UnitTable {
    std::vector<std::int32_t> tile;    // [index]; empty where the extent is too large
    std::vector<std::int32_t> owner;   // [tile tuple as a number]: what it adds to the owner's rank; empty: too many
    std::vector<std::int32_t> number;  // [tile tuple as a number]: among this rank's, or -1
    std::vector<std::int64_t> begin, size;  // [tile]
  };
  struct Found {
    std::int64_t tuple;                              // as a number
    std::int64_t tiles[symmetry::Shape::max_order];  // of each mode
  };
  std::int64_t tile_of(std::size_t unit, std::int64_t index) const;
  Found find(std::size_t unit, const std::int64_t* sorted_index) const;
  std::int64_t number(std::size_t unit, const Found& found) const;
  std::int64_t place_in_tile(std::size_t unit, const Found& found, const std::int64_t* sorted_index) const;

  const Distribution* distribution_;
  const LocalTiles* tiles_;
  std::vector<UnitTable> units_;
  std::vector<std::int64_t> combination_;  // [unit]: what a tile's number counts in the tables below
  std::vector<std::int64_t> begin_;        // [combination of tiles]
  std::vector<std::int64_t> stride_;       // [combination of tiles][unit]
};

}  // namespace ricci::layout
