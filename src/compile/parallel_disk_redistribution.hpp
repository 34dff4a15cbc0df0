#pragma once
// Inputs that are given, and outputs that are wanted, in a distribution of their own (seed 004, section 2.3).
#include <optional>
#include <string>
#include <vector>

#include "compile/parallel_disk_tables.hpp"

namespace ricci::compile::parallel_disk {

/// The labels by which an array is spread, <i,k>; none: every rank has all of it, <>.
using ArrayDistribution = std::vector<Label>;

/// Nothing: any distribution will do.
struct ConstrainedArrays {
  std::optional<ArrayDistribution> a, b, c;
  const std::optional<ArrayDistribution>& of(Array array) const {
    return array == Array::a ? a : array == Array::b ? b : c;
  }
};

/// InputError where an array is said to be spread by a label that it has not.
void check(const ConstrainedArrays&);

/// Table 1. Nothing for the operand that is replicated, which may come from anywhere. Accumulation leaves C on all
/// ranks.
std::optional<ArrayDistribution> needed_distribution(const ParallelDiskMethod&, Array);

/// What one rank moves to bring an array from one distribution into another. What every rank has needs no move. Other
/// moves read and write the rank's part once, and send all of it but the P-th part that stays in the mean; to have an
/// array on all ranks costs eq. 2.3 and is written whole. An array that stays in memory costs nothing on disk.
DiskVolumes redistribution(const ParallelDiskCase&, double size, bool resident, const ArrayDistribution& from,
                           const ArrayDistribution& to);

/// The sum over A and B before and C after.
DiskVolumes redistribution_of(const ParallelDiskCase&, const ParallelDiskMethod&, ResidentArrays,
                              const ConstrainedArrays&);

std::string text_of(const ArrayDistribution&);  ///< "<i,k>"

}  // namespace ricci::compile::parallel_disk
