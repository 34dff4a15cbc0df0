#pragma once
// Which elements a tile of a program has on a rank. A label is spread over its parts in blocks of ⌈extent/parts⌉
// indices, and every rank cuts its block alike, so that tile n of all ranks together is the paper's global tile. The
// last block is filled up with zeros: all ranks read, write and send the same, and what K is filled up with adds
// nothing.
#include <array>
#include <cstdint>
#include <vector>

#include "compile/parallel_disk_method.hpp"

namespace ricci::compile::parallel_disk {

/// Where the loops over a label stand; -1: there is no such loop around.
struct TilePlace {
  std::int64_t outer = -1, inner = -1;
  bool operator==(const TilePlace&) const = default;
};
using TilePlaces = std::array<TilePlace, 3>;  ///< [label]

/// Consecutive indices of a rank's block.
struct TileRange {
  std::int64_t begin = 0, size = 0;
  bool operator==(const TileRange&) const = default;
};

/// One label, in indices of a rank's block.
struct LabelTiles {
  std::int64_t extent = 1;  ///< of the label
  std::int64_t parts = 1;   ///< over which it is spread
  std::int64_t outer = 1;   ///< of a full tile of the outer loop
  std::int64_t inner = 1;   ///< of a full tile of the inner loop; `outer` where there is none

  std::int64_t whole() const { return (extent + parts - 1) / parts; }
  std::int64_t outer_tiles() const;                    ///< at least 1: an empty label is visited once
  std::int64_t inner_tiles(std::int64_t outer) const;  ///< of one outer tile; at least 1
  TileRange range(const TilePlace&) const;
  /// Of the indices begin … begin + size - 1 of part p, those that the label really has.
  TileRange real(const TileRange&, std::int64_t part) const;
  bool operator==(const LabelTiles&) const = default;
};

/// How finely an array is cut along a label.
enum class TileLevel { whole, outer, inner };

/// The tiles of one array as they lie on a rank's disk: a matrix of rows and columns of tiles, numbered row by row.
///
/// A tile is a matrix of fine tiles, one for each place that the innermost loops over its labels come to, one after the
/// other row by row; so what a product needs, or a shift moves, always lies in one piece. Within a fine tile the
/// columns run fastest.
struct TileGrid {
  struct Side {
    Label label = Label::i;
    TileLevel level = TileLevel::whole;
    TileLevel fine = TileLevel::whole;
    LabelTiles tiles;
    std::int64_t count() const { return count(level); }
    std::int64_t count(TileLevel) const;
    std::int64_t number(const TilePlaces&) const;
    TileRange range(std::int64_t number) const { return range(number, level); }
    TileRange range(std::int64_t number, TileLevel) const;
    TileRange fine_range(const TilePlaces&) const;
    std::vector<TileRange> fine_ranges(std::int64_t number) const;  ///< of the fine tiles of a tile
  };
  Side rows, columns;
  /// Ranks that keep equal shares of each tile, the elements of which follow each other row by row; 1: each has all of
  /// its own.
  int sharing = 1;

  std::int64_t tiles() const { return rows.count() * columns.count(); }
  std::int64_t number(const TilePlaces& at) const { return rows.number(at) * columns.count() + columns.number(at); }
  std::int64_t elements(std::int64_t tile) const;  ///< of the tile
  std::int64_t share(std::int64_t tile) const;     ///< of it that a rank keeps, rounded up
  std::int64_t largest_tile() const;
  std::int64_t largest_fine_tile() const;
  /// Where a fine tile begins within the tile that holds it, and its elements.
  TileRange fine_tile(const TilePlaces& at) const;
  TileRange fine_tile(std::int64_t tile, const TileRange& rows, const TileRange& columns) const;
  TileRange row_range(std::int64_t tile) const { return rows.range(tile / columns.count()); }
  TileRange column_range(std::int64_t tile) const { return columns.range(tile % columns.count()); }
};

}  // namespace ricci::compile::parallel_disk
