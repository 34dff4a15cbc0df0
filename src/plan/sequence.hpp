#pragma once
// Statements that are planned together: a tensor is moved to where the statements want it, if that is cheaper in all.
#include <optional>
#include <vector>

#include "plan/distributed_plan.hpp"

namespace ricci::planning {

struct SequenceTensor {
  std::shared_ptr<const symmetry::Shape> shape;
  Layout layout;       // before the first statement
  bool stays = false;  // in that layout, because the user said so
};

struct SequenceStatement {
  LocalPlan local;
  std::vector<int> tensors;  // [slot]: the output, then the factors of all terms; numbers of SequenceTensors
};

struct Sequence {
  std::vector<SequenceTensor> tensors;
  std::vector<SequenceStatement> statements;
  std::vector<SpreadGoal> goals;  // of each statement
  int ranks = 1;
  int runs = 1;  // how often it is going to be run
};

/// A plan for each statement, from the layouts that the ones before leave. Nothing for a statement whose tensors are
/// whole on every rank: every rank runs it for itself. Pure, and the same on all ranks.
///
/// Each statement is planned from where its tensors are. Then, statement by statement, its operands are thought to be
/// where the statement would like them best: one of them, or all. They can get there just before it, before the first
/// statement that reads them, or be made there. What makes the whole sequence faster, moves included, is kept.
std::vector<std::optional<DistributedPlan>> plan_sequence(const Sequence& sequence, const MachineModel& machine);

}  // namespace ricci::planning
