#include "plan/tile_routes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ricci::planning {

namespace {

const TiledTensor& tensor_of(const BlockContraction& contraction, Operand operand) {
  return operand == first ? contraction.terms.a() : contraction.terms.b();
}

}  // namespace

TileRoutes::TileRoutes(const BlockContraction& contraction, TileSets& sets, Operand operand, int rank)
    : contraction_(contraction),
      sets_(sets),
      operand_(operand),
      rank_(rank),
      relay_(contraction.fetch[operand]),
      tiles_(*tensor_of(contraction, operand).distribution),
      own_(tensor_of(contraction, operand).stored->local(rank)) {}

void TileRoutes::add_phase(int number, Phase& phase) {
  const auto before = std::exchange(fetched_, {});
  const std::vector<Broadcast> all = broadcasts(number);
  Messages in, out;
  for (const Broadcast& broadcast : all) {
    const auto& places = broadcast.places;
    const int here = static_cast<int>(std::find(places.begin(), places.end(), rank_) - places.begin());
    const auto from = [&](int place) {
      if (place > 0) return Part::From::forwarded;
      return broadcast.is_rotated ? Part::From::before : Part::From::own;
    };
    if (here > 0) {
      const RelayLink link = source_of(way_of(broadcast), here);
      add(broadcast, link, from(link.place), in);
    }
    for (const RelayLink& link : targets_of(way_of(broadcast), here, static_cast<int>(places.size()))) {
      add(broadcast, link, from(here), out);
    }
  }
  receive(all, in, phase);
  send(out, before, phase);
}

/// Whom a rank gets a tile from in a phase, in the end: itself, a neighbour that had it in the phase before, or who
/// holds it.
int TileRoutes::source(std::int64_t number, int receiver, int phase, const std::vector<int>& neighbours) {
  const int holder = tiles_.source(tiles_.tile(number), receiver);
  if (holder == receiver || phase == 0) return holder;
  for (int neighbour : neighbours) {
    const auto& had = sets_.needed(operand_, neighbour, phase - 1);
    if (neighbour != receiver && std::binary_search(had.begin(), had.end(), number)) return neighbour;
  }
  return holder;
}

std::vector<TileRoutes::Broadcast> TileRoutes::broadcasts(int phase) {
  std::map<std::pair<std::int64_t, int>, std::vector<int>> receivers;  // [tile, source]
  const TileSets::Numbers& mine = sets_.needed(operand_, rank_, phase);
  const bool is_relayed = relay_.way != Relay::Way::direct;
  for (int rank = 0; rank < contraction_.mapping.ranks(); ++rank) {
    const std::vector<int> neighbours = contraction_.mapping.passing_on(rank, contraction_.phases);
    for (std::int64_t number : sets_.needed(operand_, rank, phase)) {
      const int from = source(number, rank, phase, neighbours);
      if (from == rank) continue;
      const bool matters =
          rank == rank_ || from == rank_ || (is_relayed && std::binary_search(mine.begin(), mine.end(), number));
      if (matters) receivers[{number, from}].push_back(rank);
    }
  }
  std::map<std::tuple<int, bool, std::vector<int>>, std::vector<std::int64_t>> alike;
  for (auto& [tile, ranks] : receivers) {
    const auto [number, from] = tile;
    const bool takes_part = from == rank_ || std::binary_search(ranks.begin(), ranks.end(), rank_);
    if (takes_part) alike[{from, !holds(number, from), std::move(ranks)}].push_back(number);
  }
  std::vector<Broadcast> result;
  for (auto& [key, tiles] : alike) {
    const auto& [from, is_rotated, ranks] = key;
    result.push_back({places_of(from, ranks), is_rotated, std::move(tiles)});
  }
  return result;
}

/// One rank alone gets tiles from who has them.
Relay::Way TileRoutes::way_of(const Broadcast& broadcast) const {
  return broadcast.places.size() > 2 ? relay_.way : Relay::Way::direct;
}

void TileRoutes::add(const Broadcast& broadcast, RelayLink link, Part::From from, Messages& messages) const {
  const int peer = broadcast.places[link.place];
  if (way_of(broadcast) != Relay::Way::chain) {
    std::vector<Part>& parts = messages[{link.round, peer, -1}];
    for (std::int64_t number : broadcast.tiles) parts.push_back({from, number, 0, size(number)});
    return;
  }
  std::int64_t all = 0;
  for (std::int64_t number : broadcast.tiles) all += size(number);
  for (int piece = 0; piece < relay_.pieces; ++piece) {
    const std::int64_t begin = all * piece / relay_.pieces, end = all * (piece + 1) / relay_.pieces;
    std::int64_t at = 0;  // of the tile
    for (std::int64_t number : broadcast.tiles) {
      const std::int64_t first = std::max(begin, at), last = std::min(end, at + size(number));
      if (first < last) {
        messages[{link.round + piece, peer, broadcast.tiles[0]}].push_back({from, number, first - at, last - first});
      }
      at += size(number);
    }
  }
}

void TileRoutes::place(std::int64_t number, Phase& phase) {
  if (fetched_.try_emplace(number, phase.fetched[operand_]).second) phase.fetched[operand_] += size(number);
}

void TileRoutes::receive(const std::vector<Broadcast>& broadcasts, Messages& messages, Phase& phase) {
  // The tiles of a chain come in pieces: they are placed first.
  for (const Broadcast& broadcast : broadcasts) {
    if (broadcast.places[0] == rank_ || way_of(broadcast) != Relay::Way::chain) continue;
    for (std::int64_t number : broadcast.tiles) place(number, phase);
  }
  for (auto& [key, parts] : messages) {
    std::sort(parts.begin(), parts.end());
    for (const Part& part : parts) place(part.tile, phase);
    TileMessage message{key.peer, 0, fetched_.at(parts[0].tile) + parts[0].begin, {}};
    for (const Part& part : parts) message.size += part.size;
    message.round = key.round;
    phase.receives[operand_].push_back(std::move(message));
  }
}

void TileRoutes::send(Messages& messages, const std::map<std::int64_t, std::int64_t>& before, Phase& phase) const {
  for (auto& [key, parts] : messages) {
    std::sort(parts.begin(), parts.end());
    TileMessage message{key.peer, 0, 0, {}};
    message.round = key.round;
    for (const Part& part : parts) {
      message.size += part.size;
      switch (part.from) {
        case Part::From::own:
          append(message.ranges, {tiles_.begin(own_, tiles_.tile(part.tile)) + part.begin, part.size});
          break;
        case Part::From::before:
          append(message.passed_on, {before.at(part.tile) + part.begin, part.size});
          break;
        case Part::From::forwarded:
          append(message.forwarded, {fetched_.at(part.tile) + part.begin, part.size});
      }
    }
    phase.sends[operand_].push_back(std::move(message));
  }
  // Not everybody sends to the same rank first.
  const int ranks = contraction_.mapping.ranks();
  const auto order = [&](const TileMessage& message) {
    return std::pair(message.round, (message.peer - rank_ + ranks) % ranks);
  };
  std::stable_sort(phase.sends[operand_].begin(), phase.sends[operand_].end(),
                   [&](const TileMessage& x, const TileMessage& y) { return order(x) < order(y); });
}

}  // namespace ricci::planning
