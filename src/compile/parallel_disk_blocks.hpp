#pragma once
// Real blocks: what whole numbers of tiles leave to each rank, rounded up, and whether it fits.
#include <cstdint>
#include <vector>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

class BlockSizes {
 public:
  /// InputError where rotation is asked for and the ranks make no square.
  BlockSizes(const ParallelDiskCase&, const ParallelDiskMethod&, ResidentArrays);

  std::int64_t extent(Label) const;  ///< of the whole label
  /// Over how many parts a label is spread (Table 1): all labels over sqrt(P) by rotation; J, I or K over P by
  /// replication of A, of B and by accumulation.
  std::int64_t parts(Label) const;
  /// A label's global tile, in the outer loop or in the inner one, too.
  std::int64_t global(Label, const TileNumbers&, bool with_inner) const;
  std::int64_t local(Label, const TileNumbers&, bool with_inner) const;

  /// The fewest outer tiles whose local block is at most `block`.
  std::int64_t tiles_for(Label, std::int64_t block) const;
  /// The fewest inner tiles that cut a given outer tile to local blocks of at most `block`.
  std::int64_t inner_tiles_for(Label, const TileNumbers&, std::int64_t block) const;

  const ResidentArrays& resident() const { return resident_; }
  /// Elements that a rank holds of an array: all of its part where that stays in memory, else one tile.
  double held(Array, const TileNumbers&) const;
  bool fits(const TileNumbers&) const;
  /// What the first two arrays leave to the third; negative where not even they fit.
  double room_for_third(const TileNumbers&) const;
  const LoopRoles& loops() const { return loops_; }

 private:
  ParallelDiskCase case_;
  LoopRoles loops_;
  std::int64_t parts_[3];
  ResidentArrays resident_;
};

/// Which arrays may stay in memory: those with a local size of at most M (section 2); where the memory is divided
/// freely, any that fit into it together, the most first.
std::vector<ResidentArrays> possible_residents(const ParallelDiskCase&, const ParallelDiskMethod&);

}  // namespace ricci::compile::parallel_disk
