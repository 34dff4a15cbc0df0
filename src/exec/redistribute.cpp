#include "exec/redistribute.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/piece_copy.hpp"

namespace ricci::exec {

namespace {

std::span<const layout::Piece> pieces_of(const layout::Parcels& parcels, std::size_t round) {
  const layout::Round& here = parcels.rounds[round];
  return std::span(parcels.pieces).subspan(here.first, here.last - here.first);
}

}  // namespace

void Redistribute::run(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const {
  if (moves.by_tiles()) {
    move_tiles(communicator, from, to);
  } else {
    move_pieces(communicator, from, to);
  }
}

void Redistribute::keep(const std::byte* from, std::byte* to) const {
  const std::int64_t size = static_cast<std::int64_t>(element_size);
  for (const auto& tile : moves.tile_stays()) {
    std::memcpy(to + tile.to_begin * size, from + tile.from_begin * size, static_cast<std::size_t>(tile.size * size));
  }
  kernels::PieceCopy{element_size, threads}.copy(moves.stays(), from, to);
}

// Tiles are contiguous on both sides, so they travel from memory to memory without being packed.
void Redistribute::move_tiles(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const {
  const std::int64_t size = static_cast<std::int64_t>(element_size);
  std::vector<comm::Request> requests;
  for (const layout::TileMove& tile : moves.tile_receives()) {
    const std::span<std::byte> place(to + tile.begin * size, static_cast<std::size_t>(tile.size * size));
    requests.push_back(communicator.start_receive(place, tile.peer));
  }
  for (const layout::TileMove& tile : moves.tile_sends()) {
    const std::span<const std::byte> place(from + tile.begin * size, static_cast<std::size_t>(tile.size * size));
    requests.push_back(communicator.start_send(place, tile.peer));
  }
  keep(from, to);
  comm::wait_all(requests);
}

// Three passes over the data, but in rounds that stay in the cache: while one round is under way, the next one is
// packed and the one before is unpacked.
void Redistribute::move_pieces(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const {
  const std::int64_t size = static_cast<std::int64_t>(element_size);
  const kernels::PieceCopy copy{element_size, threads};
  const layout::Parcels &out = moves.sends(), &in = moves.receives();
  const std::int64_t out_bytes = out.largest_round() * size, in_bytes = in.largest_round() * size;
  const PooledBuffer sent(pool, room(out) * size), received(pool, room(in) * size);
  std::vector<comm::Request> sends[2], receives[2];

  const auto start = [&](std::size_t round) {
    if (round < in.rounds.size()) {
      std::byte* const buffer = received.data() + round % 2 * in_bytes;
      for (const auto& message : in.rounds[round].messages) {
        const std::span<std::byte> place(buffer + message.begin * size, static_cast<std::size_t>(message.size * size));
        receives[round % 2].push_back(communicator.start_receive(place, message.peer));
      }
    }
    if (round < out.rounds.size()) {
      std::byte* const buffer = sent.data() + round % 2 * out_bytes;
      copy.pack(pieces_of(out, round), from, buffer);
      for (const auto& message : out.rounds[round].messages) {
        const std::span<const std::byte> place(buffer + message.begin * size,
                                               static_cast<std::size_t>(message.size * size));
        sends[round % 2].push_back(communicator.start_send(place, message.peer));
      }
    }
  };
  const auto finish = [&](std::vector<comm::Request>& requests) {
    comm::wait_all(requests);
    requests.clear();
  };

  const std::size_t rounds = std::max(out.rounds.size(), in.rounds.size());
  start(0);
  for (std::size_t round = 0; round < rounds; ++round) {
    finish(sends[(round + 1) % 2]);
    start(round + 1);
    if (round == 0) keep(from, to);
    finish(receives[round % 2]);
    if (round < in.rounds.size()) {
      copy.unpack(pieces_of(in, round), received.data() + round % 2 * in_bytes, to);
    }
  }
  if (rounds == 0) keep(from, to);
  for (auto& requests : sends) finish(requests);
}

}  // namespace ricci::exec
