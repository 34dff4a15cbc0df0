#include "plan/network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ricci::planning {

TorusTraffic::TorusTraffic(const MachineModel& machine, int ranks)
    : torus_(ranks, machine.torus_dimensions),
      machine_(machine),
      ranks_(ranks),
      links_(ranks <= most_ranks ? ranks : 1),
      busy_(static_cast<std::size_t>(torus_.directions() * links_), 0) {}

void TorusTraffic::add(int from, int to, double bytes, double message) {
  if (from == to || bytes <= 0) return;
  const MessageRate rate = machine_.rate_of_message(message);
  const double seconds = bytes / (machine_.network_bandwidth * rate.bandwidth);
  const int hops = torus_.for_each_link(
      from, to, [&](int direction, int rank) { busy_[direction * links_ + rank % links_] += seconds; });
  latency_ = std::max(latency_, (machine_.network_latency + hops * machine_.hop_latency) * rate.latency);
}

double TorusTraffic::seconds(double part) const {
  double busiest = 0;
  for (std::size_t first = 0; first < busy_.size(); first += static_cast<std::size_t>(links_)) {
    const auto begin = busy_.begin() + static_cast<std::ptrdiff_t>(first), end = begin + links_;
    const bool exact = part >= 1 && links_ == ranks_;
    const double here = exact ? *std::max_element(begin, end) : std::accumulate(begin, end, 0.0) / (part * ranks_);
    busiest = std::max(busiest, here);
  }
  return busiest + latency_;
}

double seconds_of_agreement(const MachineModel& machine, int ranks) {
  constexpr double a_word = 8;
  double seconds = 0;
  const Torus torus(ranks, machine.torus_dimensions);
  for (int away = 1; away < ranks; away *= 2) {
    const int hops = torus.for_each_link(0, away, [](int, int) {});
    seconds += 2 * (machine.network_latency + hops * machine.hop_latency) * machine.rate_of_message(a_word).latency;
  }
  return seconds;
}

double bandwidth_of_all_to_all(const MachineModel& machine, int ranks) {
  if (machine.torus_dimensions == 0) return machine.network_bandwidth;
  // Of the longest dimension, where a message has all distances alike, and half of them go forward.
  const int extent = torus_extents(ranks, machine.torus_dimensions)[0];
  const int half = extent / 2;
  return machine.network_bandwidth * std::max(1.0, extent / (0.5 * half * (half + 1)));
}

}  // namespace ricci::planning
