#include "plan/network.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace ricci::planning {

std::vector<int> torus_extents(int ranks, int dimensions) {
  std::vector<int> primes;
  for (int left = ranks, prime = 2; left > 1; ++prime) {
    for (; left % prime == 0; left /= prime) primes.push_back(prime);
  }
  std::vector<int> extents(static_cast<std::size_t>(dimensions), 1);
  for (auto prime = primes.rbegin(); prime != primes.rend(); ++prime) {
    *std::min_element(extents.begin(), extents.end()) *= *prime;
  }
  std::sort(extents.begin(), extents.end(), std::greater<>());
  return extents;
}

TorusTraffic::TorusTraffic(const MachineModel& machine, int ranks)
    : extents_(torus_extents(ranks, machine.torus_dimensions)),
      machine_(machine),
      ranks_(ranks),
      links_(ranks <= most_ranks ? ranks : 1),
      busy_(extents_.size() * 2 * static_cast<std::size_t>(links_), 0) {}

void TorusTraffic::add(int from, int to, double bytes, double message) {
  if (from == to || bytes <= 0) return;
  const MessageRate rate = machine_.rate_of_message(message);
  const double seconds = bytes / (machine_.network_bandwidth * rate.bandwidth);
  int at = from, stride = 1, hops = 0;
  for (std::size_t dim = 0; dim < extents_.size(); ++dim) {
    const int extent = extents_[dim];
    const int ahead = (to / stride % extent - at / stride % extent + extent) % extent;
    const bool forward = 2 * ahead <= extent;
    for (int steps = forward ? ahead : extent - ahead; steps > 0; --steps, ++hops) {
      const std::size_t direction = 2 * dim + (forward ? 0 : 1);
      busy_[direction * static_cast<std::size_t>(links_) + static_cast<std::size_t>(at % links_)] += seconds;
      const int here = at / stride % extent, next = (here + (forward ? 1 : extent - 1)) % extent;
      at += (next - here) * stride;
    }
    stride *= extent;
  }
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

double bandwidth_of_all_to_all(const MachineModel& machine, int ranks) {
  if (machine.torus_dimensions == 0) return machine.network_bandwidth;
  // Of the longest dimension, where a message has all distances alike, and half of them go forward.
  const int extent = torus_extents(ranks, machine.torus_dimensions)[0];
  const int half = extent / 2;
  return machine.network_bandwidth * std::max(1.0, extent / (0.5 * half * (half + 1)));
}

}  // namespace ricci::planning
