#pragma once
// Bottom-up search with tiles of 1 and dominance on totals (seed 003, section 5): a subtree's solution is inferior
// where another one has no more memory and no more disk volume in all, and leaves the rest of the tree as many ways.
#include <vector>

#include "fusion/loop_structure.hpp"

namespace ricci::fusion {

enum class Totals {
  memory_and_disk,  // solutions that no other one beats in both; intermediates in memory or on disk
  memory,           // of least memory only; intermediates in memory wherever they may be
};

struct TotalsCandidate {
  LoopStructure structure;
  double memory_bytes = 0;  // MemUsage(s), the sum over all arrays
  double disk_bytes = 0;    // DiskCost(s)
};

std::vector<TotalsCandidate> candidates_by_totals(const Forest& forest, const Tree& tree, Totals totals);

}  // namespace ricci::fusion
