#pragma once
// Memory and disk time of a loop program as functions of its tile sizes: what the search for tiles works on. The same
// numbers as loop_counts.hpp gives for the finished program.
#include <cstdint>
#include <vector>

#include "fusion/loop_counts.hpp"

namespace ricci::fusion {

struct TileProblem {
  struct Block {                    // a buffer
    double whole_bytes = 0;         // of its modes that have the whole range, times the element
    std::vector<int> tiles;         // loops whose tile it has
    std::vector<int> doubled_when;  // there are two of it where one of these loops turns more than once
  };
  struct Flow {              // a transfer
    double bytes = 0;        // of the array
    std::vector<int> own;    // loops around it over its modes
    std::vector<int> extra;  // other loops around it
    bool is_read = false, reads_back = false;
    std::vector<int> rows;  // where the array lies in rows: its own loops by mode, last first
  };
  std::vector<std::int64_t> extents;  // by loop
  std::vector<Block> blocks;
  std::vector<std::vector<int>> live;  // blocks in memory together
  std::vector<Flow> flows;
  DiskModel disk;

  /// Loops whose trip count changes the disk time.
  std::vector<int> costly_loops() const;
  double seconds(const std::vector<std::int64_t>& trips) const;
  /// Of everything but resident arrays. Copies follow `trips`; where those are not yet known (0), there is one.
  double bytes(const std::vector<std::int64_t>& tiles, const std::vector<std::int64_t>& trips) const;
};

TileProblem make_tile_problem(const LoopProgram& program, const DiskModel& disk);

}  // namespace ricci::fusion
