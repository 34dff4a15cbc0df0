#pragma once
// A statement of tensors as the matrix product that the parallel disk algorithms see: eq. 2.1 as eq. 2.2.
#include <cstdint>
#include <vector>

#include <ricci/machine.hpp>

#include "compile/parallel_disk_case.hpp"
#include "notation/bound_statement.hpp"

namespace ricci::compile::parallel_disk {

/// Labels of the statement, by the arrays that share them, in the order in which the output or the first factor has
/// them.
struct IndexSets {
  std::vector<int> i;  ///< A and C
  std::vector<int> j;  ///< B and C
  std::vector<int> k;  ///< A and B, summed over
  bool operator==(const IndexSets&) const = default;
};

/// InputError where the statement is not one product of two tensors without packed groups, each label of which stands
/// in just two of the three, once.
IndexSets index_sets(const notation::BoundStatement&);

/// What a rank has: the machine's figures and, since machine files do not know it, the bandwidth of a disk.
struct DiskRanks {
  int ranks = 1;
  std::int64_t memory_bytes = 0;  ///< of one rank, for the tiles of all three arrays
  double disk_bandwidth = 1e8;    ///< bytes a second, of one rank's disk
};
/// ResourceError where the memory holds less than an element of each array.
ParallelDiskCase parallel_disk_case(const notation::BoundStatement&, const MachineModel&, const DiskRanks&);

}  // namespace ricci::compile::parallel_disk
