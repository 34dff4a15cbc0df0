#pragma once
// The plan of one statement on several ranks: the nodes of the local plan, each with the way it is spread.
#include <iosfwd>
#include <vector>

#include "plan/local_plan.hpp"
#include "plan/spread.hpp"

namespace ricci::planning {

struct SpreadNode {
  SpreadProblem problem;
  Spread spread;
};

struct DistributedPlan {
  LocalPlan local;
  int ranks = 1;
  /// Of the output and the operands, where they are before.
  std::vector<Layout> layouts;
  bool output_stays = true;  // in its layout
  Layout output;             // where it is after
  /// One for each node of the local plan. A node that clears has only the layout of its output.
  std::vector<SpreadNode> nodes;
};

/// `layouts`: of the output, then of the factors of all terms in order. Pure, and the same on all ranks.
/// An output that need not stay is left where it is made.
DistributedPlan plan_distributed(LocalPlan local, std::vector<Layout> layouts, bool output_stays, int ranks,
                                 const MachineModel& machine, const SpreadGoal& goal);

std::ostream& operator<<(std::ostream&, const DistributedPlan&);

}  // namespace ricci::planning
