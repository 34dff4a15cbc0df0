#include "plan/partial_sums.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "layout/tensor_tiles.hpp"

namespace ricci::planning {

namespace {

/// Tiles in a message: those that its receiver owns come first.
using Tiles = std::vector<std::pair<bool, std::int64_t>>;  // goes on, number
using Messages = std::map<std::pair<int, int>, Tiles>;     // [round, peer]

}  // namespace

void add_partial_messages(const BlockContraction& contraction, TileSets& sets, int rank,
                          const std::map<std::int64_t, std::int64_t>& begin, BlockProgram& program) {
  const layout::TensorTiles tiles(*contraction.terms.c().distribution);
  const layout::LocalTiles own = contraction.terms.c().distribution->local(rank);
  std::map<std::int64_t, std::vector<int>> makers;  // [tile], other than its owner
  for (int maker = 0; maker < contraction.mapping.ranks(); ++maker) {
    for (std::int64_t number : sets.made(maker)) {
      const int owner = tiles.owner(tiles.tile(number));
      if (owner != maker && (owner == rank || begin.contains(number))) makers[number].push_back(maker);
    }
  }
  // A tree from the owner to all who have partial sums, backwards: the last round comes first.
  Messages out, in;
  for (const auto& [number, ranks] : makers) {
    const std::vector<int> places = places_of(tiles.owner(tiles.tile(number)), ranks);
    const int count = static_cast<int>(places.size());
    const int here = static_cast<int>(std::find(places.begin(), places.end(), rank) - places.begin());
    const int last = rounds_of(contraction.sums, count) - 1;
    if (here > 0) {
      const RelayLink link = source_of(contraction.sums, here);
      out[{last - link.round, places[link.place]}].push_back({link.place > 0, number});
    }
    for (const RelayLink& link : targets_of(contraction.sums, here, count)) {
      in[{last - link.round, places[link.place]}].push_back({here > 0, number});
    }
  }
  const auto size = [&](std::int64_t number) { return tiles.size(tiles.tile(number)); };
  for (auto& [key, numbers] : out) {
    std::sort(numbers.begin(), numbers.end());
    TileMessage message{key.second, 0, 0, {}};
    message.round = key.first;
    for (const auto& [goes_on, number] : numbers) {
      append(message.ranges, {begin.at(number), size(number)});
      message.size += size(number);
    }
    program.partials_to.push_back(std::move(message));
  }
  for (auto& [key, numbers] : in) {
    std::sort(numbers.begin(), numbers.end());
    TileMessage message{key.second, 0, program.partials_received, {}};
    message.round = key.first;
    for (const auto& [goes_on, number] : numbers) {
      if (goes_on) {
        append(message.forwarded, {begin.at(number), size(number)});
      } else {
        append(message.ranges, {tiles.begin(own, tiles.tile(number)), size(number)});
      }
      message.size += size(number);
    }
    program.partials_received += message.size;
    program.partials_from.push_back(std::move(message));
  }
}

}  // namespace ricci::planning
