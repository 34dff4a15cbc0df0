#pragma once
// Elements between a tensor that is spread over all ranks (a block of an array on disk, or an array in memory) and the
// tiles that a parallel disk program wants: every rank knows who has what, so that nothing but elements is sent.
#include "compile/parallel_disk_matrix.hpp"
#include "layout/locator.hpp"
#include "program/parallel_disk_run.hpp"

namespace ricci::program {

/// A tensor in memory that holds a box of an array.
struct SpreadBox {
  compile::Box box;
  const layout::Locator& locator;  // of the tensor, from the corner of the box on
};

class TileMoves {
 public:
  enum class Direction { to_tiles, from_tiles };
  TileMoves(const ParallelDiskProduct& product, compile::parallel_disk::Array array,
            const compile::parallel_disk::ArrayMatrix& matrix, Direction direction);

  /// Collective: all elements of the box that a tile has, on all ranks. `spread` is this rank's part of the tensor,
  /// `tile` what it keeps of the tile; one of them is written to.
  void run(std::int64_t tile, const SpreadBox& box, std::byte* spread, std::byte* kept,
           const comm::Communicator& communicator) const;
  /// Elements that a rank sends to others then.
  std::int64_t sent(std::int64_t tile, const SpreadBox& box, int rank) const;

  /// Whether the rank has a tile at all: what C was before, by accumulation, is for the first rank alone, and of the
  /// copies that all ranks have in the end each tile is taken from one.
  bool takes_part(std::int64_t tile, int rank) const;
  bool touches(std::int64_t tile, const compile::Box& box) const;
  const compile::parallel_disk::TileGrid& grid() const { return grid_; }

 private:
  template <class F>
  void for_each_piece(std::int64_t tile, int rank, const SpreadBox& box, F&& f) const;

  const ParallelDiskProduct& product_;
  const compile::parallel_disk::Array array_;
  const compile::parallel_disk::ArrayMatrix& matrix_;
  const compile::parallel_disk::TileGrid grid_;
  const Direction direction_;
};

}  // namespace ricci::program
