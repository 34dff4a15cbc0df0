#pragma once
// Finding single elements, fast: which rank holds an index, and where. Tables over indices, tiles and ranks, made once
// or when first needed, turn both into a few look-ups.
#include <cstdint>
#include <memory>
#include <vector>

#include "layout/distribution.hpp"

namespace ricci::layout {

/// A rank and the place of an element among those that it stores.
struct Spot {
  int rank;
  std::int64_t place;
};

/// Refers to the distribution. On several ranks its tables grow with the questions: then not for several threads at
/// once. On one rank they are complete.
class Locator {
 public:
  explicit Locator(const Distribution& distribution);

  const Distribution& distribution() const { return *distribution_; }
  /// The rank of copy 0 that holds an element; the index sorted within each group.
  int owner(const std::int64_t* sorted_index) const;
  /// The same, and the place there. All copies have the same.
  Spot spot(const std::int64_t* sorted_index) const;
  std::int64_t place(const std::int64_t* sorted_index) const { return spot(sorted_index).place; }

  /// How many elements follow one another in the memory of one rank, this one being the first, while the index of
  /// `mode` grows from `moving` on. All of them fold with the same sign.
  std::int64_t run_along(const std::int64_t* sorted_index, int mode, std::int64_t moving) const;

 private:
  /// What an index (of a mode by itself) or a tuple of tiles (of a group) tells about its unit.
  struct Part {
    std::int32_t owner = 0;    // what it adds to the rank
    std::int32_t number = -1;  // the tile's, among the unit's tiles of its owner
    std::int64_t begin = 0;    // of the tile (a mode by itself)
  };
  struct UnitTable {
    std::vector<std::int32_t> tile;  // [index], of a group; empty where the extent is too large
    bool by_tile = false;
    std::vector<Part> parts;  // [index] (by_tile: [tile]) or [tuple of tiles as a number]; empty: too many
    std::vector<std::int64_t> begin, size;  // [tile]
  };
  /// Where the tiles of one rank begin, and what an element of each unit counts there, by combination of tiles.
  struct RankTable {
    std::vector<std::int64_t> combination;  // [unit]: what the number of a tile counts
    std::vector<std::int64_t> begin, stride;
  };

  void fill_table(const Unit& unit, UnitTable& table) const;
  Part part(std::size_t unit, const std::int64_t* sorted_index) const;
  Part part_of_tile(const Unit& unit, const TileTuple& tile) const;
  std::int64_t place_in_tile(std::size_t unit, const Part& part, const std::int64_t* sorted_index) const;
  std::int64_t tile_of(std::size_t unit, std::int64_t index) const;
  const RankTable& table_of(int rank) const;

  const Distribution* distribution_;
  std::vector<UnitTable> units_;
  mutable std::vector<std::unique_ptr<RankTable>> ranks_;
};

}  // namespace ricci::layout
