#pragma once
// The loops of a plan as data: what an executor runs, and what is printed in the notation of figures 1-3.
#include <array>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "compile/parallel_disk_blocks.hpp"
#include "compile/parallel_disk_tiles.hpp"

namespace ricci::compile::parallel_disk {

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

struct ParallelDiskProgram {
  ParallelDiskMethod method;
  int ranks = 1;
  double log_p = 0;
  std::array<LabelTiles, 3> labels;
  ResidentArrays resident;
  /// Arrays with a second buffer: the next tile is read into it while one is used; of C, the last one written from it.
  ResidentArrays ahead = {};
  ResidentArrays transposed = {};  ///< whose tiles have their first label along the columns
  std::vector<DiskStep> steps;

  const LabelTiles& label(Label l) const { return labels[static_cast<std::size_t>(l)]; }
  /// The tiles of an array as the steps read them, before any of them is broadcast.
  TileGrid grid(Array) const;
  bool is_replicated(Array array) const {
    return method.algorithm == ParallelAlgorithm::replication && array == method.replicated;
  }
};

/// Arrays that stay in memory are read before all loops and written after them.
ParallelDiskProgram make_program(const ParallelDiskCase&, const ParallelDiskMethod&, ResidentArrays,
                                 const TileNumbers&);

/// What running the program moves on a rank, in elements. All ranks move the same, but for C by accumulation, which
/// only the first rank reads at first. The tables count less in three places: they leave out that a broadcast reads the
/// rank's own part first, that an out-of-core reduction writes what it has read, and that tiles may be uneven.
struct ProgramVolumes {
  double read = 0, written = 0;                              ///< all
  double communication_read = 0, communication_written = 0;  ///< of these: by communication out of core
  double communication = 0;  ///< a shift: the block; a broadcast: the whole tile; a reduction: the tile times log P
};
ProgramVolumes volumes_of(const ParallelDiskProgram&, int rank = 0);

/// What goes in one message at most, in elements: shifts and reductions need buffers of this size.
inline constexpr std::int64_t message_elements = std::int64_t{1} << 19;

/// Bytes that a rank sends, as comm::Traffic counts them: a shift its block, a broadcast the rank's share to all
/// others, a reduction of n bytes 2n(P-1)/P, rounded down, for each message.
std::int64_t sent_bytes(const ParallelDiskProgram&, int element_bytes);

/// Elements that a rank holds at a time: tiles, or all of an array that stays in memory, shares of tiles that are
/// broadcast, and what shifts and reductions need besides.
std::int64_t held_elements(const ParallelDiskProgram&);

/// Gives second buffers to those arrays for which there is room, the most often read first.
void read_ahead(ParallelDiskProgram&, std::int64_t elements);

/// Pseudocode.
std::ostream& operator<<(std::ostream&, const ParallelDiskProgram&);

}  // namespace ricci::compile::parallel_disk
