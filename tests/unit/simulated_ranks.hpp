#pragma once
// All ranks of a distributed plan in one process: what exec/ does with MPI, with messages as vectors. Everything that a
// program does not write is NaN, so that nothing is read by chance.
#include <vector>

#include "plan/distributed_plan.hpp"

namespace ricci::planning {

using RankData = std::vector<std::vector<double>>;  // [rank]: its elements

/// A tensor given as all elements of the unpacked one, in a distribution.
RankData scatter(const layout::Distribution& distribution, const std::vector<double>& dense);

/// Room for a tensor.
RankData unset(const layout::Distribution& distribution);

/// Makes the programs of all ranks, verifies them, compares what they say about their messages and what was counted
/// without making them, and runs them. `b` is empty where there is none. Failures are GoogleTest's.
void run_programs(const BlockContraction& contraction, double alpha, RankData& c, const RankData& a, const RankData& b);

/// The tensors of a statement on all ranks.
struct SimulatedBinding {
  RankData output;
  std::vector<const RankData*> factors;  // of all terms in order; may be the output
  std::vector<double> coefficients;      // of the terms
};

/// Runs a plan; the output is left in plan.output.
void run_plan(const DistributedPlan& plan, SimulatedBinding& binding);

}  // namespace ricci::planning
