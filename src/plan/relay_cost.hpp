#pragma once
// What it takes to bring the same data to several ranks, and which way is best (relay.hpp).
#include <ricci/machine.hpp>

#include "plan/relay.hpp"

namespace ricci::planning {

/// What a rank receives of an operand, or sends of partial sums, in a phase.
struct FanOut {
  double bytes = 0;
  double holders = 1;    // that they come from, or owners that they go to
  double receivers = 1;  // that each of those serves
};

/// How many times a rank's data go out of the busiest rank, or come into it where they are partial sums.
double busiest_share(const FanOut& fan_out, const Relay& relay);

/// With n receivers of each of g holders, which send at the same time: straight, a holder sends all of it n times; down
/// a tree it takes log n rounds (Rajbhandari et al., eq. 9); along a chain in k pieces n + k of them (planner.md: with
/// latency α and time β for a byte, (k + n − 2)(α + βm/k)).
double seconds_of(const FanOut& fan_out, const Relay& relay, const MachineModel& machine);

/// The fastest. Straight for a few receivers, where others would save next to nothing.
Relay best_relay(const FanOut& fan_out, const MachineModel& machine);

}  // namespace ricci::planning
