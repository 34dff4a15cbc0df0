#pragma once
// The way in: what to compute, how much memory there is, how fast the disk is; out comes a loop program with what it
// will take.
#include <optional>
#include <string>

#include "fusion/search.hpp"

namespace ricci::fusion {

enum class SearchKind { optimal, efficient, decoupled };

struct OutOfCoreOptions {
  SearchKind search = SearchKind::optimal;
  /// Where memory allows it, a second buffer within the limit for each array that is read inside of loops, or written
  /// there (Buffer::doubled).
  bool read_ahead = false, write_behind = false;
  /// Where memory allows it, no tile is smaller than this.
  std::int64_t least_tile = 1;
  double tolerance = 1e-6;
  int most_fused = 5;
};

struct LoopPlan {
  LoopProgram program;
  LoopCounts counts;  // predicted, and exact: bytes and requests by array, peak, operations
  double seconds = 0;
  std::int64_t candidates = 0;
  bool exhaustive = true;  // whether the search has seen everything, up to the tolerance
  std::vector<Rival> rivals;
};

/// ResourceError, with the least limit that would do, where no program keeps to the limit.
LoopPlan plan_out_of_core(const Forest& forest, std::int64_t limit_bytes, const DiskModel& disk,
                          const OutOfCoreOptions& options = {});

/// The smallest limit for which there is a program.
std::int64_t least_memory(const Forest& forest, const OutOfCoreOptions& options = {});

/// The program, a table of its traffic by array, peak and time, and the rivals.
std::string to_string(const LoopPlan& plan);

}  // namespace ricci::fusion
