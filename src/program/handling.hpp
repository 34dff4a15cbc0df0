#pragma once
// What the processor does with bytes beside multiplying.
#include <algorithm>

#include <ricci/machine.hpp>

namespace ricci::program {

/// Seconds a byte that goes to disk or comes from there: checksums, pinned pages, norms, and copies that caches do not
/// hold. Measured as five copies.
inline double handling(const MachineModel& machine) { return 5 / machine.copy_bandwidth; }

/// Seconds a byte of a block that has its memory to itself, whose pages are touched for the first time: measured as
/// thirty copies.
inline double fresh_pages(const MachineModel& machine) { return 30 / machine.copy_bandwidth; }

/// Seconds a byte of a part that is taken out of a tensor in memory, or put into one, in runs: short ones, where the
/// tensor is packed. Measured as sixty copies, and as ten.
inline double partition(const MachineModel& machine, bool is_packed) {
  return (is_packed ? 60 : 10) / machine.copy_bandwidth;
}

/// One rank multiplies while the disk is at work, but for what it takes to begin and to end, and for the processor's
/// share of transfers: a part of the shorter time. Several ranks wait for one another in between.
inline double beside_each_other(double disk, double arithmetic, int ranks) {
  const double not_hidden = ranks == 1 ? 0.4 : 1;
  return std::max(disk, arithmetic) + not_hidden * std::min(disk, arithmetic);
}

}  // namespace ricci::program
