#pragma once
// The loops of a fused tree and the statements that each of them encloses.
#include <bitset>
#include <vector>

#include "fusion/loop_structure.hpp"

namespace ricci::fusion {

/// Statements of a tree by number: node v is made by point v, read by point n + v and written by point 2n + v.
using Scope = std::bitset<192>;

struct FusedLoop {
  int label = 0;
  Scope scope;
};

struct LoopScopes {
  std::vector<FusedLoop> loops;
  /// By point: the loops around it, widest scope first.
  std::vector<std::vector<int>> around;
};

LoopScopes loop_scopes(const Tree& tree, const LoopStructure& structure);

/// Whether, of any two loops that meet at a contraction, one encloses all that the other encloses.
bool are_nested(const Tree& tree, const LoopScopes& scopes);

}  // namespace ricci::fusion
