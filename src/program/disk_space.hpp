#pragma once
// What a program will have on disk, and whether there is room for it.
#include <cstdint>
#include <string>

#include <ricci/world.hpp>

#include "program/program_plan.hpp"

namespace ricci::program {

/// In scratch files of one rank.
struct ScratchBytes {
  std::int64_t most = 0;  // at any time
  std::int64_t last = 0;  // when all is computed and outputs are written to files
};

/// Found by going through the plan: an array is there from when it is first written (or read as zero) until it is
/// released or written anew, which is complete before the old one goes.
ScratchBytes scratch_bytes(const ProgramPlan& plan, int rank);

/// In files of outputs.
struct OutputBytes {
  std::int64_t all = 0;
  std::int64_t early = 0;  // of those that are written while other things are still computed
};

/// Of all outputs' files that lie in a directory, by directory, on all ranks together.
std::map<std::string, OutputBytes> output_file_bytes(const ProgramPlan& plan);

/// ResourceError, with the bytes that are needed and those that are free, where the file system of the scratch
/// directories or of an output has less room than all ranks together will need there. Collective.
void require_disk_space(const ProgramPlan& plan, const World& world, const std::string& scratch);

}  // namespace ricci::program
