#include "plan/relay.hpp"

#include <algorithm>
#include <bit>

namespace ricci::planning {

namespace {

/// In which round a tree reaches a place: 1; 2, 3; 4 … 7; and so on.
int round_of_tree(int place) { return std::bit_width(static_cast<unsigned>(place)) - 1; }

}  // namespace

RelayLink source_of(Relay::Way way, int place) {
  switch (way) {
    case Relay::Way::tree: {
      const int round = round_of_tree(place);
      return {place - (1 << round), round};
    }
    case Relay::Way::chain:
      return {place - 1, place - 1};
    default:
      return {0, 0};
  }
}

std::vector<RelayLink> targets_of(Relay::Way way, int place, int count) {
  std::vector<RelayLink> links;
  switch (way) {
    case Relay::Way::tree:
      for (int round = place == 0 ? 0 : round_of_tree(place) + 1; place + (1 << round) < count; ++round) {
        links.push_back({place + (1 << round), round});
      }
      break;
    case Relay::Way::chain:
      if (place + 1 < count) links.push_back({place + 1, place});
      break;
    default:
      for (int other = 1; place == 0 && other < count; ++other) links.push_back({other, 0});
  }
  return links;
}

int rounds_of(Relay::Way way, int count) {
  if (count < 2) return 0;
  return way == Relay::Way::direct ? 1 : source_of(way, count - 1).round + 1;
}

std::vector<int> places_of(int source, const std::vector<int>& others) {
  std::vector<int> places{source};
  const auto next = std::upper_bound(others.begin(), others.end(), source);
  places.insert(places.end(), next, others.end());
  places.insert(places.end(), others.begin(), next);
  return places;
}

}  // namespace ricci::planning
