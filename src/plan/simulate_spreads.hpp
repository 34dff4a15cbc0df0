#pragma once
// What spreads take on a torus when every message is simulated.
#include <vector>

#include <ricci/machine.hpp>

#include "plan/spread.hpp"

namespace ricci::planning {

struct SimulatedSpread {
  const SpreadProblem* problem;
  Spread* spread;  // its `local` seconds are known
};

/// Spreads that run one after the other, each rank going on when it has all that it waits for. Sets their seconds, each
/// from the end of the one before. Nothing where the machine has no torus, or more than 512 ranks: whether it was done.
bool simulate(const std::vector<SimulatedSpread>& spreads, const MachineModel& machine);

/// Whether what takes so many seconds by what the busiest links carry could be faster than what was simulated. Links
/// are added up stage by stage, where a simulation may have stages overlap, so that they can be a little too high.
bool may_be_faster(double by_links, double simulated);

/// Ways to do the same, none of which was simulated, in the order of their seconds. Simulates the best of them, until
/// no other may be faster, but no more than four, and puts them in order.
void simulate_best(const SpreadProblem& problem, const MachineModel& machine, std::vector<Spread>& spreads);

}  // namespace ricci::planning
