#include "layout/redistribution.hpp"

#include <algorithm>
#include <numeric>

namespace ricci::layout {

namespace {

/// Calls f with every combination of one number below each of the counts, in lexicographic order.
template <class F>
void for_each_combination(const std::vector<int>& counts, F f) {
  if (std::any_of(counts.begin(), counts.end(), [](int count) { return count == 0; })) return;
  std::vector<int> at(counts.size(), 0);
  for (;;) {
    f(at);
    std::size_t k = counts.size();
    while (k > 0 && at[k - 1] + 1 == counts[k - 1]) at[--k] = 0;
    if (k == 0) return;
    ++at[k - 1];
  }
}

/// Where the tile of each unit begins, all together, and what an element of each unit's tile counts.
std::int64_t tile_begin(const LocalTiles& tiles, const std::vector<const UnitPiece*>& units, bool from,
                        std::vector<std::int64_t>& stride) {
  std::vector<int> numbers;
  for (std::size_t u = 0; u < units.size(); ++u) {
    numbers.push_back(tiles.find(u, from ? units[u]->from : units[u]->to));
  }
  stride.assign(units.size(), 1);
  for (std::size_t u = units.size(); u-- > 1;) stride[u - 1] = stride[u] * tiles.unit_size(u, numbers[u]);
  return tiles.begin(numbers);
}

}  // namespace

Redistribution::Redistribution(const Distribution& from, const Distribution& to, int rank)
    : Redistribution(from, to, rank, Role::sender) {
  make_pieces(Role::receiver);
}

Redistribution Redistribution::of_stays(const Distribution& from, const Distribution& to, int rank) {
  return Redistribution(from, to, rank, Role::stays);
}

Redistribution::Redistribution(const Distribution& from, const Distribution& to, int rank, Role only)
    : from_(from),
      to_(to),
      rank_(rank),
      by_tiles_(from.same_tiles(to)),
      own_from_(from.local(rank)),
      own_to_(to.local(rank)),
      sent_(from.ranks(), 0),
      received_(from.ranks(), 0) {
  make_pieces(only);
}

/// Of the ranks that hold copies of a tile (holder is one of them), the one that the receiver gets it from: itself
/// where it can be, else the copies take turns.
int Redistribution::source(int holder, int receiver) const {
  if (from_.copies() == 1) return holder;
  if (from_.with_copy(holder, from_.copy_of(receiver)) == receiver) return receiver;
  return from_.with_copy(holder, receiver % from_.copies());
}

// Both sides walk through the pieces in the same order: by the old and new tiles of the first unit, then of the second,
// and so on. So a message needs no headers.
void Redistribution::make_pieces(Role role) {
  const bool backwards = role == Role::receiver;
  const std::size_t units = from_.units().size();
  std::vector<int> counts;
  const std::size_t first = unit_pieces_.size();
  for (std::size_t u = 0; u < units; ++u) {
    const auto& tiles = backwards ? own_to_.tiles()[u] : own_from_.tiles()[u];
    unit_pieces_.push_back(unit_pieces(from_.units()[u], to_.units()[u], tiles, backwards));
    counts.push_back(static_cast<int>(unit_pieces_.back().size()));
  }
  std::vector<int> from_at(from_.layout().grid().extents().size(), 0), to_at(to_.layout().grid().extents().size(), 0);
  std::vector<const UnitPiece*> pieces(units);
  for_each_combination(counts, [&](const std::vector<int>& at) {
    for (std::size_t u = 0; u < units; ++u) {
      pieces[u] = unit_pieces_[first + u][at[u]].get();
      from_.units()[u].locate(pieces[u]->from, from_at);
      to_.units()[u].locate(pieces[u]->to, to_at);
    }
    const int holder = from_.rank(from_at), receiver = to_.rank(to_at);
    if (backwards) {
      add_piece(role, pieces, source(holder, rank_), rank_);
      return;
    }
    if (role == Role::stays) {
      const int target = to_.with_copy(receiver, to_.copy_of(rank_));
      if (target == rank_ && source(holder, rank_) == rank_) add_piece(Role::sender, pieces, rank_, rank_);
      return;
    }
    for (int copy = 0; copy < to_.copies(); ++copy) {
      const int target = to_.with_copy(receiver, copy);
      if (source(holder, target) == rank_) add_piece(role, pieces, rank_, target);
    }
  });
}

void Redistribution::add_piece(Role role, const std::vector<const UnitPiece*>& units, int from_rank, int to_rank) {
  const bool stays = from_rank == to_rank;
  if (stays && role == Role::receiver) return;  // seen already, as its sender
  Piece piece;
  piece.peer = role == Role::sender ? to_rank : from_rank;
  piece.size = 1;
  for (const UnitPiece* unit : units) piece.size *= unit->size;
  piece.units = units;
  if (from_rank == rank_) piece.from_begin = tile_begin(own_from_, units, true, piece.from_stride);
  if (to_rank == rank_) piece.to_begin = tile_begin(own_to_, units, false, piece.to_stride);
  std::int64_t& count = role == Role::sender ? sent_[to_rank] : received_[from_rank];
  piece.at_message = count;
  if (!stays) count += piece.size;
  if (by_tiles_) {
    if (stays) {
      tile_stays_.push_back({piece.from_begin, piece.to_begin, piece.size});
    } else if (role == Role::sender) {
      tile_sends_.push_back({to_rank, piece.from_begin, piece.size});
    } else {
      tile_receives_.push_back({from_rank, piece.to_begin, piece.size});
    }
    return;
  }
  (stays ? stays_ : role == Role::sender ? sends_ : receives_).push_back(std::move(piece));
}

bool Redistribution::tiles_are_small(std::size_t element_size) const {
  constexpr double small = 65536;
  double tiles = 1;
  for (const Unit& unit : from_.units()) {
    // Sorted tuples of tiles of a group.
    for (int k = 0; k < unit.degree(); ++k) tiles *= static_cast<double>(unit.tiling().count() + k) / (k + 1);
  }
  return static_cast<double>(from_.shape().stored_size()) * static_cast<double>(element_size) < small * tiles;
}

std::int64_t Redistribution::total_sent() const { return std::accumulate(sent_.begin(), sent_.end(), std::int64_t{0}); }
std::int64_t Redistribution::total_received() const {
  return std::accumulate(received_.begin(), received_.end(), std::int64_t{0});
}

}  // namespace ricci::layout
