#pragma once
// What a program will do, decided before any of it is done.
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ricci/machine.hpp>
#include <ricci/options.hpp>

#include "compile/choose_tiles.hpp"
#include "compile/formula.hpp"
#include "notation/program.hpp"
#include "program/fused_nest.hpp"
#include "program/parallel_disk_operation.hpp"
#include "program/predict_traffic.hpp"

namespace ricci::program {

/// An operation, and how it is done: at once in memory, block by block, by a parallel disk algorithm, which leaves its
/// output in those blocks, or in loops that it shares with operations before it.
struct PlannedOperation {
  const compile::Operation* operation = nullptr;  // of ProgramPlan::formula
  std::optional<compile::TileChoice> blocks = {};
  std::optional<ParallelDiskOperation> parallel_disk = {};
  std::shared_ptr<const FusedNest> loops = {};
  Tilings tilings = {};  // of the arrays on disk before it
  std::vector<PlannedOperation> body = {};
  double seconds = 0;     // that it will take each time, about, without its body
  std::string text = {};  // as the plan prints it, in one line
};

/// Tensors of the host that are on disk, by name, and how they are cut, and stay cut.
using GivenOnDisk = std::map<std::string, compile::Cuts>;

struct ProgramPlan {
  notation::Program program;
  compile::Formula written;  // as it stands
  compile::Formula formula;  // as it is run
  Options options;
  int ranks = 1;
  GivenOnDisk given_on_disk;
  std::vector<compile::Home> homes;  // of the formula's arrays
  PackedFiles packed_files;          // of the formula's arrays that are read from files
  std::set<int> direct_outputs;      // arrays on disk that go to their files block by block, as they are made
  std::vector<PlannedOperation> operations;
  std::int64_t memory_bytes = 0;  // of one rank: arrays that stay in memory, at their greatest
  std::int64_t peak_bytes = 0;    // and all blocks
  double seconds = 0;             // that it will take, about

  /// What an operation reads from disk and writes there when it is run once, without its body.
  DiskBytes traffic(const PlannedOperation& planned, int rank) const;
  /// What writing outputs to files in the end reads and writes.
  DiskBytes output_bytes(int rank) const;
  Tilings final_tilings = {};
};

/// Decides all; touches no data, but looks at how those input files that are there hold their tensors. ResourceError,
/// with the least memory that would do, where the limit does not suffice.
std::unique_ptr<const ProgramPlan> plan_program(notation::Program program, int ranks, const MachineModel& machine,
                                                const Options& options, GivenOnDisk given_on_disk = {});

/// As the plan prints it, in one line, without the body of a loop.
std::string text_of(const ProgramPlan& plan, const compile::Operation& operation);

/// `memory`, `disk`, …: where an array is, in words.
const char* name_of(compile::Home home);

std::ostream& operator<<(std::ostream&, const ProgramPlan&);

}  // namespace ricci::program
