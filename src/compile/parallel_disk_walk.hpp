#pragma once
// The statements of a program, one after the other, with where the loops around them stand.
#include <vector>

#include "compile/parallel_disk_program.hpp"

namespace ricci::compile::parallel_disk {

struct DiskEvent {
  const DiskStep* step = nullptr;  ///< neither a loop nor rotations
  TilePlaces at = {};
  std::int64_t rotation = 0;

  /// No tile of K and no rotation has come before: C has not been added to.
  bool first_visit() const;
};

/// May be copied, to look ahead. The program must outlive it.
class DiskWalk {
 public:
  explicit DiskWalk(const ParallelDiskProgram& program);
  /// False at the end.
  bool next(DiskEvent& event);

 private:
  struct Frame {
    const std::vector<DiskStep>* steps;
    std::size_t next;
    const DiskStep* around;  // whose body it is; null: the program
  };
  void enter(const DiskStep& step);
  bool advance(const DiskStep& step);
  std::int64_t& place(const TileLoop& loop);
  std::int64_t tiles(const TileLoop& loop) const;

  const ParallelDiskProgram* program_;
  std::vector<Frame> frames_;
  TilePlaces at_ = {};
  std::int64_t rotation_ = 0;
};

/// Which part of a label a rank has. By rotation, rank (x, y) of the grid has part x of I, y of J and, after r
/// rotations, (x + y + r) mod sqrt(P) of K, from the start as on disk, so that nothing is aligned first.
std::int64_t part_of(const ParallelDiskProgram&, Label, int rank, std::int64_t rotation);

/// Whether a rank sets a tile of C to zero where a step reads it: see DiskStep::zero_first.
bool starts_at_zero(const ParallelDiskProgram&, const DiskEvent&, int rank);

}  // namespace ricci::compile::parallel_disk
