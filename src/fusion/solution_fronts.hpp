#pragma once
// Solutions of a subtree that no other one makes inferior (seed 003, section 5).
#include <unordered_map>
#include <vector>

#include "fusion/loop_structure.hpp"

namespace ricci::fusion {

/// A way to evaluate a subtree: at first up to the nesting of its root, then with the fusion to its consumer.
struct Solution {
  std::vector<LabelSet> order;  // IndexsetSequence::sets: of the nesting, then of the fusion
  double memory = 0, disk = 0;
  int left = -1, right = -1;  // solutions of the operands
  EdgeFusion fusion;
  double unread = 0;  // memory of the root's buffer before it was written, part of `memory`
};

using Solutions = std::vector<Solution>;

/// Keeps, of the solutions of each order, those that no other one beats in memory and disk volume.
class SolutionFronts {
 public:
  /// `disk`: whether disk volume counts.
  explicit SolutionFronts(bool disk) : disk_(disk) {}

  void add(Solution solution);
  /// Those that no solution of a less constraining order beats either; in an order that does not depend on hashes.
  Solutions take();

 private:
  struct Hash {
    std::size_t operator()(const std::vector<LabelSet>& order) const;
  };
  bool leq(const Solution& a, const Solution& b) const { return a.memory <= b.memory && (!disk_ || a.disk <= b.disk); }
  bool is_beaten(const Solution& solution) const;

  bool disk_;
  std::unordered_map<std::vector<LabelSet>, Solutions, Hash> fronts_;
};

}  // namespace ricci::fusion
