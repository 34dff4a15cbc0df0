#include "layout/redistribution.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "layout/tensor_tiles.hpp"

namespace ricci::layout {

namespace {

/// Of a piece, in bytes: threads share the pieces of a round, and several make one. A quarter of a message, so that
/// messages can be filled evenly, but no less than half of this: each piece takes its time.
constexpr std::int64_t largest_part = std::int64_t{32} << 10;
/// Of a message to one of many, in bytes, about.
constexpr std::int64_t bytes_of_message = std::int64_t{32} << 10;
/// What a rank packs at a time, in bytes. Two rounds are under way in either direction, all in the second-level cache.
constexpr std::int64_t bytes_of_round = std::int64_t{512} << 10;
/// Of a message where memory is short: the pieces of shorter ones would take as much by themselves.
constexpr std::int64_t lean_message = std::int64_t{8} << 10;

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

Redistribution::Redistribution(const Distribution& from, const Distribution& to, int rank, std::size_t element_size)
    : Redistribution(from, to, rank, element_size, Role::sender, Rounds::usual) {
  make_pieces(Role::receiver);
  make_rounds(sends_);
  make_rounds(receives_);
  forget();
}

// A program of many phases has a redistribution for each.
void Redistribution::forget() {
  from_.reset();
  to_.reset();
  own_from_.reset();
  own_to_.reset();
  for (const auto& units : unit_pieces_) {
    for (const auto& unit : units) {
      unit->from = {};
      unit->to = {};
    }
  }
}

Redistribution Redistribution::of_stays(const Distribution& from, const Distribution& to, int rank,
                                        std::size_t element_size) {
  Redistribution result(from, to, rank, element_size, Role::stays, Rounds::usual);
  result.forget();
  return result;
}

Redistribution Redistribution::fetch(const Distribution& from, const Distribution& to, const Wanted& wanted, int rank,
                                     std::size_t element_size, Rounds rounds) {
  Redistribution result(from, to, rank, element_size, Role::fetches, rounds);
  result.unit_pieces_.resize(from.units().size());
  KnownPieces known(from.units().size());  // the same again and again, for one receiver and for others
  for (int away = 0; away < from.ranks(); ++away) {
    result.fetch_pieces(wanted, (rank + away) % from.ranks(), known);
  }
  result.make_rounds(result.sends_);
  result.make_rounds(result.receives_);
  result.forget();
  return result;
}

Redistribution::Redistribution(const Distribution& from, const Distribution& to, int rank, std::size_t element_size,
                               Role only, Rounds rounds)
    : from_(std::make_unique<const Distribution>(from)),
      to_(std::make_unique<const Distribution>(to)),
      rank_(rank),
      element_size_(static_cast<std::int64_t>(element_size)),
      longest_(std::max<std::int64_t>(1, longest_message(from.ranks(), rounds) / element_size_)),
      by_tiles_(only != Role::fetches && from.same_tiles(to) && !tiles_are_small()),
      own_from_(std::make_unique<const LocalTiles>(from.local(rank))),
      own_to_(only == Role::fetches ? nullptr : std::make_unique<const LocalTiles>(to.local(rank))),
      sent_(from.ranks(), 0),
      received_(from.ranks(), 0) {
  if (only != Role::fetches) make_pieces(only);
}

/// What one rank wants: what of it this rank has, or, where it is this rank's own wish, all that comes from others.
void Redistribution::fetch_pieces(const Wanted& wanted, int receiver, KnownPieces& known) {
  const TensorTiles to_tiles(*to_), from_tiles(*from_);
  const std::size_t units = from_->units().size();
  std::int64_t to_begin = 0;
  for (std::int64_t number : wanted(receiver)) {
    const TileTuples to_tile = to_tiles.tile(number);
    std::vector<std::vector<TileTuple>> overlaps;
    std::vector<int> counts;
    for (std::size_t u = 0; u < units; ++u) {
      overlaps.push_back(overlapping(to_->units()[u], to_tile[u], from_->units()[u]));
      counts.push_back(static_cast<int>(overlaps.back().size()));
    }
    for_each_combination(counts, [&](const std::vector<int>& at) {
      TileTuples from_tile;
      for (std::size_t u = 0; u < units; ++u) from_tile.push_back(overlaps[u][at[u]]);
      const int source = from_tiles.source(from_tile, receiver);
      if (source != rank_ && receiver != rank_) return;
      Piece piece;
      piece.size = 1;
      for (std::size_t u = 0; u < units; ++u) {
        const UnitPiece*& unit = known[u][{from_tile[u], to_tile[u]}];
        if (!unit) {
          unit_pieces_[u].push_back(unit_piece(from_->units()[u], to_->units()[u], from_tile[u], to_tile[u]));
          unit = unit_pieces_[u].back().get();
        }
        piece.units.push_back(unit);
        piece.size *= unit->size;
      }
      if (piece.size == 0) return;
      if (source == rank_) piece.from_begin = tile_begin(*own_from_, piece.units, true, piece.from_stride);
      if (receiver == rank_) {
        piece.to_begin = to_begin;
        piece.to_stride.assign(units, 1);
        for (std::size_t u = units; u-- > 1;) {
          piece.to_stride[u - 1] = piece.to_stride[u] * to_->units()[u].size(to_tile[u]);
        }
      }
      if (source == receiver) {
        piece.peer = rank_;
        add_cut(std::move(piece), stays_);
      } else if (source == rank_) {
        piece.peer = receiver;
        sent_[receiver] += piece.size;
        add_cut(std::move(piece), sends_.pieces);
      } else {
        piece.peer = source;
        received_[source] += piece.size;
        add_cut(std::move(piece), receives_.pieces);
      }
    });
    to_begin += to_tiles.size(to_tile);
  }
}

// Both sides walk through the pieces in the same order: by the old and new tiles of the first unit, then of the second,
// and so on. So a message needs no headers.
void Redistribution::make_pieces(Role role) {
  const bool backwards = role == Role::receiver;
  const std::size_t units = from_->units().size();
  std::vector<int> counts;
  const std::size_t first = unit_pieces_.size();
  for (std::size_t u = 0; u < units; ++u) {
    const auto& tiles = backwards ? own_to_->tiles()[u] : own_from_->tiles()[u];
    unit_pieces_.push_back(unit_pieces(from_->units()[u], to_->units()[u], tiles, backwards));
    counts.push_back(static_cast<int>(unit_pieces_.back().size()));
  }
  std::vector<int> from_at(from_->layout().grid().extents().size(), 0), to_at(to_->layout().grid().extents().size(), 0);
  std::vector<const UnitPiece*> pieces(units);
  for_each_combination(counts, [&](const std::vector<int>& at) {
    for (std::size_t u = 0; u < units; ++u) {
      pieces[u] = unit_pieces_[first + u][at[u]].get();
      from_->units()[u].locate(pieces[u]->from, from_at);
      to_->units()[u].locate(pieces[u]->to, to_at);
    }
    const int holder = from_->rank(from_at), receiver = to_->rank(to_at);
    if (backwards) {
      add_piece(role, pieces, from_->source(holder, rank_), rank_);
      return;
    }
    if (role == Role::stays) {
      const int target = to_->with_copy(receiver, to_->copy_of(rank_));
      if (target == rank_ && from_->source(holder, rank_) == rank_) add_piece(Role::sender, pieces, rank_, rank_);
      return;
    }
    for (int copy = 0; copy < to_->copies(); ++copy) {
      const int target = to_->with_copy(receiver, copy);
      if (from_->source(holder, target) == rank_) add_piece(role, pieces, rank_, target);
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
  if (from_rank == rank_) piece.from_begin = tile_begin(*own_from_, units, true, piece.from_stride);
  if (to_rank == rank_) piece.to_begin = tile_begin(*own_to_, units, false, piece.to_stride);
  std::int64_t& count = role == Role::sender ? sent_[to_rank] : received_[from_rank];
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
  add_cut(std::move(piece), stays ? stays_ : role == Role::sender ? sends_.pieces : receives_.pieces);
}

void Redistribution::add_cut(Piece piece, std::vector<Piece>& pieces) const {
  const std::int64_t part = std::clamp(longest_ / 4, largest_part / element_size_ / 2, largest_part / element_size_);
  cut_piece(piece, std::clamp<std::int64_t>(part, 1, longest_), pieces);
}

std::int64_t Redistribution::longest_message(int ranks, Rounds rounds) {
  if (rounds == Rounds::lean) return lean_message;
  return std::max(bytes_of_message, bytes_of_round / std::max(1, ranks - 1));
}

void Redistribution::cut_at_ends_of_rounds(const std::vector<std::int64_t>& total, std::vector<Piece>& pieces) const {
  const std::int64_t slack = longest_ / 100;
  std::vector<std::int64_t> done(total.size(), 0), round(total.size(), 1);
  std::vector<Piece> all, open;  // what is left of a piece
  for (Piece& piece : pieces) {
    const int peer = piece.peer;
    const std::int64_t rounds = (total[peer] + longest_ - 1) / longest_;
    open.assign(1, std::move(piece));
    while (!open.empty()) {
      const std::int64_t size = open[0].size, end = total[peer] * round[peer] / rounds - done[peer];
      if (end < size) {
        std::vector<Piece> parts;
        ++round[peer];
        split_piece(std::move(open[0]), end, slack, parts);
        open.erase(open.begin());
        open.insert(open.begin(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
        continue;
      }
      done[peer] += size;
      all.push_back(std::move(open[0]));
      open.erase(open.begin());
    }
  }
  pieces = std::move(all);
}

// Both sides fill the rounds of a message in the same way: as few of them as the bound allows, all as full but for a
// hundredth, which is not worth a piece. Plans count on it.
void Redistribution::make_rounds(Parcels& parcels) const {
  std::vector<std::int64_t> total(from_->ranks(), 0), done(from_->ranks(), 0), round(from_->ranks(), -1);
  for (const Piece& piece : parcels.pieces) total[piece.peer] += piece.size;
  cut_at_ends_of_rounds(total, parcels.pieces);
  std::vector<std::pair<std::int64_t, std::size_t>> order;  // round, number of the piece
  for (std::size_t i = 0; i < parcels.pieces.size(); ++i) {
    const Piece& piece = parcels.pieces[i];
    const std::int64_t rounds = (total[piece.peer] + longest_ - 1) / longest_;
    const std::int64_t middle = done[piece.peer] + piece.size / 2;
    round[piece.peer] = std::min(round[piece.peer] + 1, middle * rounds / total[piece.peer]);  // none stays empty
    order.emplace_back(round[piece.peer], i);
    done[piece.peer] += piece.size;
  }
  std::sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
    return std::tuple(x.first, parcels.pieces[x.second].peer, x.second) <
           std::tuple(y.first, parcels.pieces[y.second].peer, y.second);
  });
  std::vector<Piece> sorted;
  sorted.reserve(order.size());
  for (const auto& [number, i] : order) {
    if (number == static_cast<std::int64_t>(parcels.rounds.size())) {
      parcels.rounds.push_back({{}, sorted.size(), sorted.size(), 0});
    }
    Round& here = parcels.rounds.back();
    Piece& piece = sorted.emplace_back(std::move(parcels.pieces[i]));
    if (here.messages.empty() || here.messages.back().peer != piece.peer) {
      here.messages.push_back({piece.peer, here.size, 0});
    }
    piece.at_buffer = here.size;
    here.messages.back().size += piece.size;
    here.size += piece.size;
    here.last = sorted.size();
  }
  parcels.pieces = std::move(sorted);
}

std::int64_t Parcels::largest_round() const {
  std::int64_t largest = 0;
  for (const Round& round : rounds) largest = std::max(largest, round.size);
  return largest;
}

bool Redistribution::tiles_are_small() const {
  constexpr double small = 65536;
  double tiles = 1;
  for (const Unit& unit : from_->units()) {
    // Sorted tuples of tiles of a group.
    for (int k = 0; k < unit.degree(); ++k) tiles *= static_cast<double>(unit.tiling().count() + k) / (k + 1);
  }
  return static_cast<double>(from_->shape().stored_size()) * static_cast<double>(element_size_) < small * tiles;
}

std::int64_t common_elements(const Distribution& distribution, const Distribution& other, int rank) {
  const LocalTiles here = distribution.local(rank), there = other.local(rank);
  std::int64_t product = 1;
  for (std::size_t u = 0; u < distribution.units().size(); ++u) {
    const Unit &unit = distribution.units()[u], &other_unit = other.units()[u];
    std::int64_t sum = 0;
    for (const TileTuple& tile : here.tiles()[u]) {
      for (const TileTuple& tuple : overlapping(unit, tile, other_unit)) {
        if (there.find(u, tuple) >= 0) sum += common_elements(unit, tile, other_unit, tuple);
      }
    }
    product *= sum;
  }
  return product;
}

DensePieces::DensePieces(const Distribution& distribution, int rank) {
  const LocalTiles tiles = distribution.local(rank);
  const std::size_t units = distribution.units().size();
  std::vector<std::vector<const UnitPiece*>> of_unit(units);
  std::vector<int> counts;
  for (std::size_t u = 0; u < units; ++u) {
    for (const TileTuple& tile : tiles.tiles()[u]) {
      unit_pieces.push_back(dense_unit_piece(distribution.units()[u], tile, distribution.shape().full_strides()));
      of_unit[u].push_back(unit_pieces.back().get());
    }
    counts.push_back(static_cast<int>(of_unit[u].size()));
  }
  for_each_combination(counts, [&](const std::vector<int>& at) {
    Piece& piece = pieces.emplace_back();
    piece.peer = rank;
    piece.size = 1;
    for (std::size_t u = 0; u < units; ++u) {
      piece.units.push_back(of_unit[u][at[u]]);
      piece.size *= piece.units.back()->size;
    }
    piece.from_stride.assign(units, 1);
    piece.to_begin = tile_begin(tiles, piece.units, false, piece.to_stride);
    if (piece.size == 0) pieces.pop_back();
  });
}

std::int64_t Redistribution::table_bytes() const {
  constexpr std::size_t of_allocation = 16;
  const auto bytes_of = [&](const auto& items) {
    return items.empty() ? 0 : items.capacity() * sizeof(items[0]) + of_allocation;
  };
  std::size_t sum = sizeof(Redistribution) + bytes_of(sent_) + bytes_of(received_) + bytes_of(sends_.rounds) +
                    bytes_of(receives_.rounds);
  for (const std::vector<Piece>* pieces : {&sends_.pieces, &receives_.pieces, &stays_}) {
    sum += bytes_of(*pieces);
    for (const Piece& piece : *pieces) {
      sum += bytes_of(piece.units) + bytes_of(piece.cut) + bytes_of(piece.from_stride) + bytes_of(piece.to_stride);
    }
  }
  for (const auto& units : unit_pieces_) {
    for (const auto& unit : units) {
      sum += sizeof(UnitPiece) + sizeof(unit) + of_allocation + bytes_of(unit->loops);
      for (const Loop& loop : unit->loops) sum += bytes_of(loop.segments);
    }
  }
  sum += bytes_of(tile_sends_) + bytes_of(tile_receives_) + bytes_of(tile_stays_);
  return static_cast<std::int64_t>(sum);
}

std::int64_t Redistribution::total_sent() const { return std::accumulate(sent_.begin(), sent_.end(), std::int64_t{0}); }
std::int64_t Redistribution::total_received() const {
  return std::accumulate(received_.begin(), received_.end(), std::int64_t{0});
}

}  // namespace ricci::layout
