#pragma once
// Whole numbers of tiles of least time, with blocks that really fit.
#include <cstdint>
#include <optional>

#include "compile/parallel_disk_blocks.hpp"

namespace ricci::compile::parallel_disk {

struct RefinedTiles {
  ResidentArrays resident;
  TileNumbers tiles;
  DiskVolumes volumes;
  double seconds = 0;
};

/// The best numbers of tiles. All that matter are seen, but for inside rotation with more than 32 tiles a loop: there a
/// grid of 3 per cent, then all near its best. Never worse than the closed form rounded up, where that fits. InputError
/// where the case makes no sense, or rotation has no square number of ranks.
RefinedTiles refine(const ParallelDiskCase&, const ParallelDiskMethod&);

/// The closed form with the ceilings of section 4.1, or nothing where the tables have none. It need not fit where
/// blocks do not divide evenly.
std::optional<RefinedTiles> rounded_closed_form(const ParallelDiskCase&, const ParallelDiskMethod&, ResidentArrays);

}  // namespace ricci::compile::parallel_disk
