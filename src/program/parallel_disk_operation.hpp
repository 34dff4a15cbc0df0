#pragma once
// An operation of a program that is one product of two arrays, done by one of the parallel disk algorithms: which one,
// and how its arrays come from and go to the distribution that arrays on disk have.
#include <array>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <ricci/machine.hpp>

#include "compile/choose_tiles.hpp"
#include "compile/parallel_disk_choice.hpp"
#include "compile/parallel_disk_matrix.hpp"
#include "program/parallel_disk_run.hpp"
#include "program/predict_traffic.hpp"

namespace ricci::program {

struct ParallelDiskOperation {
  compile::parallel_disk::ParallelDiskPlan plan;  ///< with all rivals
  ParallelDiskProduct product;
  bool accumulate = false;                   ///< C +=
  std::array<int, 3> arrays = {-1, -1, -1};  ///< A, B and C of the formula
  std::array<compile::parallel_disk::ArrayMatrix, 3> matrices;
  std::vector<std::int64_t> tiling;  ///< of C on disk afterwards
  Tilings tilings;                   ///< of arrays on disk before
  double seconds = 0;                ///< of the loops, by the machine model
  double move_seconds = 0;           ///< of redistribution
  double block_seconds = 0;          ///< what doing it block by block would take for the disk alone
  std::int64_t peak_bytes = 0;       ///< of a rank: tiles and blocks

  int array(compile::parallel_disk::Array a) const { return arrays[static_cast<std::size_t>(a)]; }
  const compile::parallel_disk::ArrayMatrix& matrix(compile::parallel_disk::Array a) const {
    return matrices[static_cast<std::size_t>(a)];
  }
};

/// What it has to be planned with.
struct ParallelDiskQuestion {
  const compile::Formula& formula;
  const compile::Operation& operation;
  const std::vector<compile::Home>& homes;
  const Tilings& tilings;             // of arrays on disk before it
  const compile::TileChoice& blocks;  // how it would be done block by block; C is left in those blocks in any case
  const MachineModel& machine;
  int ranks = 1;
  std::int64_t memory_bytes = 0;  // of a rank, for tiles and blocks
  std::string method = {};        // Options::disk_method
  bool read_ahead = true;         // Options::read_ahead
};

/// Nothing where block by block is faster, or no other way is there: it is for one product of two arrays of one type
/// without symmetry, each label of which stands in two of the three, with the output on disk, on several ranks.
/// InputError where the method that is asked for does not exist, or needs another number of ranks.
std::optional<ParallelDiskOperation> choose_parallel_disk_operation(const ParallelDiskQuestion& question);

/// Of one rank, with all redistribution.
DiskBytes predict_disk(const compile::Formula& formula, const ParallelDiskOperation& operation,
                       const std::vector<compile::Home>& homes, int rank);
/// Looks at every element, about.
std::int64_t predict_sent(const compile::Formula& formula, const ParallelDiskOperation& operation,
                          const std::vector<compile::Home>& homes, int rank);

std::ostream& operator<<(std::ostream&, const ParallelDiskOperation&);

}  // namespace ricci::program
