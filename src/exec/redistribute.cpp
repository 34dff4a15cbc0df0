#include "exec/redistribute.hpp"

#include <cstring>
#include <span>
#include <vector>

#include "kernels/piece_copy.hpp"

namespace ricci::exec {

namespace {

/// Messages to all ranks, one after the other: where each begins and how long it is.
struct Messages {
  std::vector<std::int64_t> begin, bytes, begin_bytes;
  std::int64_t total = 0;

  Messages(const std::vector<std::int64_t>& elements, std::size_t element_size) {
    for (std::int64_t count : elements) {
      begin.push_back(total);
      begin_bytes.push_back(total * static_cast<std::int64_t>(element_size));
      bytes.push_back(count * static_cast<std::int64_t>(element_size));
      total += count;
    }
  }
};

}  // namespace

void Redistribute::run(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const {
  if (!moves.by_tiles()) {
    move_pieces(communicator, from, to);
  } else if (moves.tiles_are_small(element_size)) {
    move_small_tiles(communicator, from, to);
  } else {
    move_tiles(communicator, from, to);
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

// A message for each of many small tiles would cost more than copying them together.
void Redistribute::move_small_tiles(const comm::Communicator& communicator, const std::byte* from,
                                    std::byte* to) const {
  const std::int64_t size = static_cast<std::int64_t>(element_size);
  const Messages out(moves.sent(), element_size), in(moves.received(), element_size);
  const PooledBuffer sent(pool, out.total * size), received(pool, in.total * size);
  std::vector<std::int64_t> next = out.begin_bytes;
  for (const layout::TileMove& tile : moves.tile_sends()) {
    std::memcpy(sent.data() + next[tile.peer], from + tile.begin * size, static_cast<std::size_t>(tile.size * size));
    next[tile.peer] += tile.size * size;
  }
  communicator.exchange(sent.data(), out.bytes, out.begin_bytes, received.data(), in.bytes, in.begin_bytes);
  keep(from, to);
  next = in.begin_bytes;
  for (const layout::TileMove& tile : moves.tile_receives()) {
    std::memcpy(to + tile.begin * size, received.data() + next[tile.peer], static_cast<std::size_t>(tile.size * size));
    next[tile.peer] += tile.size * size;
  }
}

void Redistribute::move_pieces(const comm::Communicator& communicator, const std::byte* from, std::byte* to) const {
  const kernels::PieceCopy copy{element_size, threads};
  const Messages out(moves.sent(), element_size), in(moves.received(), element_size);
  const PooledBuffer sent(pool, out.total * static_cast<std::int64_t>(element_size));
  const PooledBuffer received(pool, in.total * static_cast<std::int64_t>(element_size));
  copy.pack(moves.sends(), from, out.begin, sent.data());
  communicator.exchange(sent.data(), out.bytes, out.begin_bytes, received.data(), in.bytes, in.begin_bytes);
  keep(from, to);
  copy.unpack(moves.receives(), received.data(), in.begin, to);
}

}  // namespace ricci::exec
