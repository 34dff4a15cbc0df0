#include "plan/relay_cost.hpp"

#include <algorithm>
#include <cmath>

namespace ricci::planning {

namespace {

double rounds_of_tree(const FanOut& fan_out) { return std::ceil(std::log2(std::max(1.0, fan_out.receivers) + 1)); }

}  // namespace

double busiest_share(const FanOut& fan_out, const Relay& relay) {
  const double holders = std::max(1.0, fan_out.holders), receivers = std::max(1.0, fan_out.receivers);
  switch (relay.way) {
    case Relay::Way::tree:
      return std::max(1.0, rounds_of_tree(fan_out) / holders);
    case Relay::Way::chain:
      return 1 + (receivers - 1) / (relay.pieces * holders);  // until the last one has the last piece
    default:
      return std::max(1.0, receivers / holders);
  }
}

double seconds_of(const FanOut& fan_out, const Relay& relay, const MachineModel& machine) {
  if (fan_out.bytes <= 0) return 0;
  const double holders = std::max(1.0, fan_out.holders), receivers = std::max(1.0, fan_out.receivers);
  const double messages = relay.way == Relay::Way::tree    ? holders + rounds_of_tree(fan_out) - 1
                          : relay.way == Relay::Way::chain ? holders * relay.pieces + receivers - 1
                                                           : std::max(holders, receivers);
  return messages * machine.network_latency + busiest_share(fan_out, relay) * fan_out.bytes / machine.network_bandwidth;
}

Relay best_relay(const FanOut& fan_out, const MachineModel& machine) {
  constexpr double few = 3;
  constexpr int most_pieces = 64;
  Relay best;
  if (fan_out.receivers <= few || fan_out.bytes <= 0) return best;
  // Where the derivative of a chain's time by its pieces is zero.
  const double transfer = fan_out.bytes / machine.network_bandwidth;
  const double pieces =
      std::sqrt((fan_out.receivers - 1) * transfer / std::max(machine.network_latency, 1e-12)) / fan_out.holders;
  const Relay others[] = {
      {Relay::Way::tree, 1},
      {Relay::Way::chain, static_cast<int>(std::clamp(std::round(pieces), 1.0, 1.0 * most_pieces))}};
  for (const Relay& relay : others) {
    if (seconds_of(fan_out, relay, machine) < seconds_of(fan_out, best, machine)) best = relay;
  }
  return best;
}

}  // namespace ricci::planning
