#pragma once
// The loops of a plan as data: what an executor runs, and what is printed in the notation of figures 1-3.
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "compile/parallel_disk_blocks.hpp"

namespace ricci::compile {

/// One tile loop: It1 is {i, outer}.
struct TileLoop {
  Label label = Label::i;
  bool inner = false;
  std::int64_t tiles = 1;  ///< of a full outer tile, where the loop is an inner one
  std::int64_t block = 1;  ///< indices of a full global tile; a last tile may have fewer
  bool operator==(const TileLoop&) const = default;
};

enum class DiskStepKind { loop, rotations, read, write, shift, broadcast, reduce, multiply };

struct DiskStep {
  DiskStepKind kind = DiskStepKind::multiply;
  Array array = Array::a;  ///< of what is moved
  /// Of shift, broadcast and reduce: from disk to disk, all of the array; else the tile that is in memory.
  bool out_of_core = false;
  /// Of a read of C: on the first visit (first rotation, first tile of every loop over K) the tile is set to zero
  /// instead. By accumulation this holds for all ranks but the first in any case, and inside for every visit, or what C
  /// was before would be added P times.
  bool zero_first = false;
  /// Of a read, the ranks that read equal shares of the same tile, before it is broadcast; 1: each reads its own.
  int sharing = 1;
  std::int64_t rotations = 1;
  std::vector<TileLoop> loops = {};  ///< of a loop: one group, nested in this order
  /// The extents of a full tile, in the order of labels_of(array), and of this rank's part; of multiply: I, J, K.
  std::vector<std::int64_t> global = {}, local = {};
  std::vector<DiskStep> body = {};  ///< of loops and rotations

  bool operator==(const DiskStep&) const = default;
};

/// Every tile of a label is spread over parts[label] ranks in blocks of equal size, the last ones shorter. By rotation,
/// rank (x, y) of the grid has part x of I, y of J and, after r rotations, (x + y + r) mod sqrt(P) of K, from the start
/// as on disk, so that nothing is aligned first.
struct ParallelDiskProgram {
  ParallelDiskMethod method;
  int ranks = 1;
  double log_p = 0;
  std::int64_t extents[3] = {1, 1, 1};
  std::int64_t parts[3] = {1, 1, 1};  ///< over which each label is spread
  ResidentArrays resident;
  std::vector<DiskStep> steps;
};

/// Arrays that stay in memory are read before all loops and written after them.
ParallelDiskProgram make_program(const ParallelDiskCase&, const ParallelDiskMethod&, ResidentArrays,
                                 const TileNumbers&);

/// What running the program moves on the rank with the largest blocks, in elements, with tiles of their real sizes. The
/// tables count less in three places: they leave out that a broadcast reads the rank's own part first, that an
/// out-of-core reduction writes what it has read, and that tiles may be uneven.
struct ProgramVolumes {
  double read = 0, written = 0;                              ///< all
  double communication_read = 0, communication_written = 0;  ///< of these: by communication out of core
  double communication = 0;  ///< a shift: the block; a broadcast: the whole tile; a reduction: the tile times log P
};
ProgramVolumes volumes_of(const ParallelDiskProgram&);

/// Pseudocode.
std::ostream& operator<<(std::ostream&, const ParallelDiskProgram&);

}  // namespace ricci::compile
