#pragma once
// Runs an operation by a parallel disk algorithm: its inputs into the tiles that it wants, the loops, its output back.
#include "program/array_store.hpp"
#include "program/parallel_disk_operation.hpp"

namespace ricci::program {

/// What has been counted on this rank, and what it took.
struct ParallelDiskOutcome {
  ParallelDiskCounts loops;
  double move_seconds = 0;      // of redistribution
  std::int64_t sent_bytes = 0;  // of both
};

/// Collective.
ParallelDiskOutcome run_parallel_disk_operation(const ParallelDiskOperation& operation, ArrayStore& store);

}  // namespace ricci::program
