#pragma once
// Where the reads and writes of one contraction may go, once the loops that it shares with others are known.
//
// Per-array dominance (seed 003, section 4) leaves few of all subsets of loops. A transfer goes inward past every loop
// over one of its own dimensions: that takes less memory, for a shorter time, and costs nothing. So it stops in front
// of a loop that is extra to it, or inside of all shared loops. Loops of one scope may have any order, and each
// transfer may stop anywhere among them, as orders that suit one need not suit another. Inside of all shared loops,
// those that no other contraction shares follow: transfers have an order, and each is inside of the dimensions of those
// before it and of its own. Only a dimension of the first and the third one that the second one lacks may begin with
// either. All other choices are among these with tiles that are as long as their loops.
#include <vector>

#include "fusion/loop_structure.hpp"

namespace ricci::fusion {

/// One way to place all transfers of a contraction.
struct Placement {
  struct Fusion {
    int node;  // whose array is read, or the contraction itself where its result is written
    LabelSet loops;
  };
  std::vector<Fusion> fusions;
};

/// `skeleton`: of each part of a tree the fusions of what stays in memory; transfers are in no loop.
std::vector<Placement> placements(const Tree& tree, const LoopStructure& skeleton, int contraction);

void place(const Placement& placement, int contraction, LoopStructure& structure);

}  // namespace ricci::fusion
