#pragma once
// A tensor as the matrix that the parallel disk algorithms see (eq. 2.2), and which elements of a box of it a rank
// keeps of a tile.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "compile/block_catalog.hpp"
#include "compile/parallel_disk_walk.hpp"

namespace ricci::compile::parallel_disk {

/// Modes of a tensor as one long index, the last of them fastest.
struct MatrixSide {
  std::vector<int> modes;
  std::vector<std::int64_t> extents;  ///< of these modes

  /// Sets the modes' indices.
  void place(std::int64_t index, std::vector<std::int64_t>& indices) const;
  /// The first index from `index` on whose modes all lie in the box; at least `end` where there is none before that.
  std::int64_t next_in(const Box& box, std::int64_t index, std::int64_t end) const;
};

/// As the rows and columns of a TileGrid have it.
struct ArrayMatrix {
  MatrixSide rows, columns;
};

/// Whether any rank has elements of a tile that lie in the box.
bool touches(const TileGrid&, const ArrayMatrix&, std::int64_t tile, const Box&);

/// Part of a tile that follows one another both in what a rank keeps of the tile and along the last mode of the
/// columns.
struct TileRun {
  std::int64_t place = 0;             // in what the rank keeps
  std::vector<std::int64_t> indices;  // of the first element, in the whole tensor
  std::int64_t count = 0;
};

/// Calls f(const TileRun&) for all elements in the box that a rank keeps of a tile, in an order that all ranks find
/// alike.
template <class F>
void for_each_run(const ParallelDiskProgram& program, const TileGrid& grid, const ArrayMatrix& matrix,
                  std::int64_t tile, int rank, const Box& box, F&& f) {
  const std::int64_t row_part = part_of(program, grid.rows.label, rank, 0) * grid.rows.tiles.whole();
  const std::int64_t column_part = part_of(program, grid.columns.label, rank, 0) * grid.columns.tiles.whole();
  const std::int64_t kept = grid.share(tile), kept_from = grid.sharing > 1 ? rank * kept : 0;
  const std::int64_t last_extent = matrix.columns.modes.empty() ? 1 : matrix.columns.extents.back();
  const int last = matrix.columns.modes.empty() ? -1 : matrix.columns.modes.back();
  TileRun run;
  run.indices.resize(box.lo.size());
  for (const TileRange& rows : grid.rows.fine_ranges(tile / grid.columns.count())) {
    const std::int64_t row_end = std::min(grid.rows.tiles.extent, row_part + rows.begin + rows.size);
    for (const TileRange& columns : grid.columns.fine_ranges(tile % grid.columns.count())) {
      const std::int64_t begin = grid.fine_tile(tile, rows, columns).begin;
      const std::int64_t column_begin = column_part + columns.begin;
      const std::int64_t column_end = std::min(grid.columns.tiles.extent, column_begin + columns.size);
      for (std::int64_t row = matrix.rows.next_in(box, row_part + rows.begin, row_end); row < row_end;
           row = matrix.rows.next_in(box, row + 1, row_end)) {
        const std::int64_t in_tile = begin + (row - row_part - rows.begin) * columns.size - kept_from - column_begin;
        // What of this row the rank keeps.
        const std::int64_t end = std::min(column_end, kept - in_tile);
        matrix.rows.place(row, run.indices);
        for (std::int64_t column = matrix.columns.next_in(box, std::max(column_begin, -in_tile), end); column < end;
             column = matrix.columns.next_in(box, column + run.count, end)) {
          const std::int64_t at = column % last_extent;
          const std::int64_t stop = last < 0 ? 1 : std::min(last_extent, box.hi[static_cast<std::size_t>(last)]);
          matrix.columns.place(column, run.indices);
          run.place = in_tile + column;
          run.count = std::min(end - column, stop - at);
          f(std::as_const(run));
        }
      }
    }
  }
}

}  // namespace ricci::compile::parallel_disk
