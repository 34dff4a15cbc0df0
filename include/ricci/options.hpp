#pragma once
// Everything that can be set about planning and running, in one place.
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace ricci {

/// What is done about packed operands whose groups a contraction breaks, on several ranks.
enum class Strategy {
  any,           ///< whichever is faster
  cast,          ///< ranks get packed tiles from wherever they lie, and unpack them on the way
  desymmetrise,  ///< operands are unpacked first, while they are moved to where the contraction wants them
};

struct Options {
  /// Bytes that all tensors of the world and the buffers of a statement may take on one rank; 0: no limit. A plan that
  /// needs more is refused before it runs. Environment: RICCI_MEMORY ("100MB", "2GiB").
  std::int64_t memory_limit = 0;
  /// Threads of one rank; 0: what OpenMP would use. Environment: RICCI_THREADS.
  int threads = 0;
  /// For debugging: before each collective call, compare what the ranks are about to do, and fail on all of them where
  /// they differ, instead of waiting forever. Environment: RICCI_CHECK_RANKS (1 or 0).
  bool check_ranks = false;
  /// How often a plan is going to be run, about. What every run needs elsewhere is worth moving there once, the more so
  /// the more runs there are. Environment: RICCI_RUNS.
  int runs = 1;
  /// For measuring and testing the planner: instead of the best plan take number `rival` of all those that it can think
  /// of (modulo their count). 0: the best. Environment: RICCI_RIVAL.
  int rival = 0;
  /// For measuring: plans of one strategy alone. Environment: RICCI_STRATEGY (any, cast or desymmetrise).
  Strategy strategy = Strategy::any;
  /// For measuring: the labels that the blocks of contractions are spread over, and over how many ranks each, in the
  /// order of the grid; a contraction that has not all of these labels is left alone. Empty: whatever is fastest.
  /// Environment: RICCI_BLOCKS ("i:4 j:4 k:4").
  std::string blocks = {};
  /// For measuring: operations of programs that do not fit in memory may share loops, so that what is between them need
  /// not go to disk; else they run one after the other. Environment: RICCI_SHARE_LOOPS (1 or 0).
  bool share_loops = true;
  /// For measuring: how a program does products of arrays on disk on several ranks: one of the parallel disk algorithms
  /// by name ("inside rotation", "outside replication of A", "inside accumulation, order CAB"), or "blocks": block by
  /// block. What such an algorithm cannot do is done block by block. Empty: whatever is fastest. Environment:
  /// RICCI_DISK_METHOD.
  std::string disk_method = {};
  /// Parallel disk algorithms read tiles ahead and write them behind, where there is room for second buffers. For
  /// measuring, without: then disk, network and products follow each other, as the papers' formulas have them.
  /// Environment: RICCI_READ_AHEAD (1 or 0).
  bool read_ahead = true;
  /// Where ranks are simulated (a build for SimGrid): kernels take the time that their flops would take on the
  /// simulated host; else only communication takes time. Environment: RICCI_SIMULATE_WORK (1 or 0).
  bool simulate_work = false;

  /// The defaults, overridden by the environment: the only place where it is read.
  static Options from_environment();
  bool operator==(const Options&) const = default;
};

std::ostream& operator<<(std::ostream&, const Options&);

/// An amount of memory as people write it: "4096", "100MB" (10^6), "2GiB" (2^30), "1.5 GB". InputError, naming `what`,
/// for anything else.
std::int64_t parse_bytes(std::string_view text, std::string_view what);

}  // namespace ricci
