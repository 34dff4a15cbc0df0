#include "plan/move_cost.hpp"

#include <algorithm>
#include <numeric>

#include "layout/redistribution.hpp"
#include "plan/network.hpp"

namespace ricci::planning {

namespace {
constexpr int most_looked_at = 8;
}

int looked_at_count(int ranks) { return std::min(ranks, most_looked_at); }

// A golden section further each time: such steps leave no part of the ranks out (Knuth, volume 3, section 6.4).
int looked_at(int ranks, int number) {
  if (ranks <= most_looked_at) return number;
  int step = static_cast<int>(0.6180339887 * ranks);
  while (std::gcd(step, ranks) > 1) ++step;
  return static_cast<int>(std::int64_t{number} * step % ranks);
}

MoveCost move_cost(const std::shared_ptr<const symmetry::Shape>& shape, const Layout& from, const Layout& to,
                   std::size_t element_size, const MachineModel& machine) {
  MoveCost cost;
  if (from == to) return cost;
  const layout::Distribution before(shape, from), after(shape, to);
  std::int64_t copied = 0, messages = 0;
  const int count = looked_at_count(before.ranks());
  for (int i = 0; i < count; ++i) {
    const int rank = looked_at(before.ranks(), i);
    const std::int64_t own = before.local(rank).size(), wanted = after.local(rank).size();
    const std::int64_t words = wanted - common_elements(before, after, rank);
    cost.words = std::max(cost.words, words);
    copied = std::max(copied, own + wanted);
    // A rank's share comes in as many parts as the senders' shares make of it, at least.
    if (words > 0)
      messages = std::max(messages, std::min<std::int64_t>(before.ranks(), words / std::max<std::int64_t>(1, own) + 1));
  }
  const auto size = static_cast<double>(element_size);
  cost.seconds = static_cast<double>(cost.words) * size / bandwidth_of_all_to_all(machine, before.ranks()) +
                 static_cast<double>(messages) * machine.network_latency +
                 static_cast<double>(copied) * size / machine.copy_bandwidth;
  return cost;
}

}  // namespace ricci::planning
