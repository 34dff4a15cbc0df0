#pragma once
// Which of all ways takes least time, and why not the others.
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "compile/parallel_disk_program.hpp"
#include "compile/parallel_disk_redistribution.hpp"
#include "compile/parallel_disk_refine.hpp"

namespace ricci::compile::parallel_disk {

/// One way with its best numbers of tiles. Volumes are those of the tables, in elements a rank.
struct ParallelDiskWay {
  ParallelDiskMethod method;
  ResidentArrays resident;
  TileNumbers tiles;
  DiskVolumes volumes;
  DiskVolumes redistributed;  ///< for constrained inputs and outputs
  double seconds = 0;         ///< of both
  bool possible = true;
  std::string reason;  ///< why another way was chosen
};

struct ParallelDiskPlan {
  ParallelDiskCase problem;
  ParallelDiskWay chosen;
  std::optional<TableMinimum> closed;          ///< the row of the tables for the chosen way
  std::optional<RefinedTiles> rounded_closed;  ///< that row, rounded up
  std::vector<ParallelDiskWay> rivals;         ///< all others, fastest first, impossible ones last

  double disk_bytes() const;           ///< a rank
  double communication_bytes() const;  ///< a rank
  ParallelDiskProgram program() const;
};

/// Of equal times the first of all_methods(), so outside before inside: every rank decides alike. InputError where the
/// case or the constraints make no sense.
ParallelDiskPlan choose_parallel_disk(const ParallelDiskCase&, const ConstrainedArrays& = {});

/// The best order of every method as a table (elements a rank, seconds of redistribution and of all), and the loops of
/// the chosen one.
std::ostream& operator<<(std::ostream&, const ParallelDiskPlan&);

}  // namespace ricci::compile::parallel_disk
