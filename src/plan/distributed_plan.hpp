#pragma once
// The plan of one statement on several ranks: the nodes of the local plan, each with the way it is spread.
#include <iosfwd>
#include <optional>
#include <vector>

#include "plan/local_plan.hpp"
#include "plan/move_cost.hpp"
#include "plan/spread.hpp"

namespace ricci::planning {

/// A tensor of a statement, before it is planned.
struct Place {
  Layout layout;  // where it is
  /// Where it is to be: where it is; in a layout, in which an output stays; or wherever it is best.
  enum class Wish { stays_there, in_layout, anywhere } wish = Wish::stays_there;
  Layout wanted = {};
  int first_slot = -1;  // of the same tensor; -1: it is the only one
};

struct SpreadNode {
  SpreadProblem problem;
  Spread spread;
};

/// A tensor that has to be somewhere else before the nodes run.
struct TensorMove {
  int slot;
  MoveCost cost;
};

struct DistributedPlan {
  LocalPlan local;
  int ranks = 1;
  /// Of the output and the operands: where they were when the plan was made, and where the nodes find them.
  std::vector<Layout> before, layouts;
  std::vector<TensorMove> moves;  // from the ones to the others; not of an output that is only written
  bool output_stays = true;       // in its layout
  Layout output;                  // where it is after
  double agreement = 0;           // seconds, where the output changes its place before: all ranks have to have room
  /// One for each node of the local plan. A node that clears has only the layout of its output.
  std::vector<SpreadNode> nodes;

  /// Of the nodes; the moves are not in it.
  double seconds() const;
};

/// Whether it does not matter what the output held before.
bool output_is_only_written(const LocalPlan& plan);

/// `places`: of the output, then of the factors of all terms in order; `output_stays`: in its layout, or else it is
/// left where it is made. Pure, and the same on all ranks.
DistributedPlan plan_distributed(LocalPlan local, const std::vector<Place>& places, bool output_stays, int ranks,
                                 const MachineModel& machine, const SpreadGoal& goal);

std::ostream& operator<<(std::ostream&, const DistributedPlan&);

}  // namespace ricci::planning
