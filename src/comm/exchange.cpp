// Every rank sends a block to every rank.
//
// Large blocks go as messages between the two ranks, the others by MPI_Alltoallv. Both ends of a block know its size,
// so they agree on which way it goes without asking; and all ranks call MPI_Alltoallv, even if nothing is left for it.
// To decide by what else may not fit into an int, the distance of the blocks in memory, all ranks would have to agree
// first, which would cost the common case as much as a small exchange itself. Hence a rank whose blocks lie too far
// apart copies the small ones together.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "comm/handle.hpp"
#include "comm/messages.hpp"

namespace ricci::comm {

namespace {

/// One side of an exchange: a block for each rank, somewhere behind `data`. Byte is const when sending.
template <class Byte>
struct Blocks {
  Byte* data;
  std::span<const std::int64_t> bytes, at;

  std::span<Byte> of(int r) const {
    const auto i = static_cast<std::size_t>(r);
    return {data + at[i], static_cast<std::size_t>(bytes[i])};
  }
};

/// The arguments of MPI_Alltoallv for one side.
template <class Byte>
class SmallBlocks {
 public:
  /// Takes the blocks for other ranks of up to `largest` bytes.
  SmallBlocks(const Communicator::Handle& handle, const Blocks<Byte>& blocks, std::int64_t largest)
      : blocks_(blocks), counts_(static_cast<std::size_t>(handle.size), 0), displacements_(counts_.size(), 0) {
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = 0, total = 0;
    for (std::size_t r = 0; r < counts_.size(); ++r) {
      if (static_cast<int>(r) == handle.rank || blocks.bytes[r] == 0 || blocks.bytes[r] > largest) continue;
      counts_[r] = static_cast<int>(blocks.bytes[r]);
      low = std::min(low, blocks.at[r]);
      high = std::max(high, blocks.at[r] + blocks.bytes[r]);
      total += blocks.bytes[r];
    }
    if (total == 0) return;
    if (high - low <= handle.chunk_limit) {
      base_ = blocks.data + low;
      place([&](std::size_t r) { return blocks.at[r] - low; });
    } else {
      copy_.resize(static_cast<std::size_t>(total));
      base_ = copy_.data();
      std::int64_t next = 0;
      place([&](std::size_t r) { return std::exchange(next, next + counts_[r]); });
    }
  }

  Byte* base() const { return base_; }
  const int* counts() const { return counts_.data(); }
  const int* displacements() const { return displacements_.data(); }

  /// Calls f(block, its copy) for each if they were copied together.
  template <class F>
  void for_each_copied(F f) {
    if (copy_.empty()) return;
    for (std::size_t r = 0; r < counts_.size(); ++r) {
      const auto count = static_cast<std::size_t>(counts_[r]);
      if (count > 0) f(blocks_.data + blocks_.at[r], copy_.data() + displacements_[r], count);
    }
  }

 private:
  template <class F>
  void place(F offset) {
    for (std::size_t r = 0; r < counts_.size(); ++r)
      if (counts_[r] > 0) displacements_[r] = static_cast<int>(offset(r));
  }

  Blocks<Byte> blocks_;
  std::vector<int> counts_, displacements_;
  std::vector<std::byte> copy_;
  Byte* base_ = nullptr;
};

void check_blocks(const Communicator::Handle& handle, const Blocks<const std::byte>& send,
                  const Blocks<std::byte>& receive) {
  const auto size = static_cast<std::size_t>(handle.size), rank = static_cast<std::size_t>(handle.rank);
  for (const std::size_t length : {send.bytes.size(), send.at.size(), receive.bytes.size(), receive.at.size()})
    if (length != size) throw InternalError(fmt::format("exchange among {} ranks was given {} sizes", size, length));
  if (send.bytes[rank] != receive.bytes[rank]) {
    throw InternalError(fmt::format("in an exchange rank {} sends {} bytes to itself and receives {} of them", rank,
                                    send.bytes[rank], receive.bytes[rank]));
  }
}

void exchange_blocks(const Communicator::Handle& handle, const Blocks<const std::byte>& send,
                     const Blocks<std::byte>& receive) {
  const std::span<const std::byte> own = send.of(handle.rank);
  if (!own.empty()) std::memcpy(receive.of(handle.rank).data(), own.data(), own.size());
  if (handle.alone()) return;

  const std::int64_t small = handle.chunk_limit / handle.size;  // so that copies of all of them fit into one buffer
  Request::State large;
  for (int step = 1; step < handle.size; ++step) {  // each rank starts with another partner
    const int from = (handle.rank + handle.size - step) % handle.size;
    if (std::ssize(receive.of(from)) > small) post_receive(handle, receive.of(from), from, exchange_tag, large);
  }
  for (int step = 1; step < handle.size; ++step) {
    const int to = (handle.rank + step) % handle.size;
    if (std::ssize(send.of(to)) > small) post_send(handle, send.of(to), to, exchange_tag, large);
  }

  SmallBlocks<const std::byte> out(handle, send, small);
  SmallBlocks<std::byte> in(handle, receive, small);
  out.for_each_copied([](const std::byte* block, std::byte* copy, std::size_t n) { std::memcpy(copy, block, n); });
  check(MPI_Alltoallv(out.base(), out.counts(), out.displacements(), MPI_BYTE, in.base(), in.counts(),
                      in.displacements(), MPI_BYTE, handle.communicator),
        "MPI_Alltoallv");
  in.for_each_copied([](std::byte* block, const std::byte* copy, std::size_t n) { std::memcpy(block, copy, n); });
  wait_for(large);
}

}  // namespace

void Communicator::exchange(const std::byte* send, std::span<const std::int64_t> send_bytes,
                            std::span<const std::int64_t> send_at, std::byte* receive,
                            std::span<const std::int64_t> receive_bytes,
                            std::span<const std::int64_t> receive_at) const {
  const Blocks<const std::byte> out{send, send_bytes, send_at};
  const Blocks<std::byte> in{receive, receive_bytes, receive_at};
  check_blocks(*handle_, out, in);
  std::int64_t messages = 0, bytes = 0;
  for (int r = 0; r < handle_->size; ++r) {
    if (r == handle_->rank) continue;
    messages += handle_->chunks(std::ssize(out.of(r)));
    bytes += std::ssize(out.of(r));
    handle_->received.fetch_add(std::ssize(in.of(r)), std::memory_order_relaxed);
  }
  handle_->count(Call::exchange, messages, bytes);
  exchange_blocks(*handle_, out, in);
}

void Communicator::all_to_all(std::span<const std::int64_t> send, std::span<std::int64_t> receive) const {
  const std::int64_t size = handle_->size, each = std::ssize(send) / size;
  if (send.size() != receive.size() || std::ssize(send) % size != 0) {
    throw InternalError(fmt::format("all_to_all among {} ranks was given {} numbers to send and {} to receive", size,
                                    send.size(), receive.size()));
  }
  const std::int64_t bytes = each * static_cast<std::int64_t>(sizeof(std::int64_t));
  if (!handle_->alone() && bytes > 0 && bytes * size <= handle_->chunk_limit) {
    handle_->count(Call::exchange, size - 1, (size - 1) * bytes);
    handle_->received.fetch_add((size - 1) * bytes, std::memory_order_relaxed);
    const int count = static_cast<int>(each);
    check(MPI_Alltoall(send.data(), count, MPI_INT64_T, receive.data(), count, MPI_INT64_T, handle_->communicator),
          "MPI_Alltoall");
    return;
  }
  const std::vector<std::int64_t> lengths(static_cast<std::size_t>(size), bytes);
  std::vector<std::int64_t> at(lengths.size());
  for (std::size_t r = 0; r < at.size(); ++r) at[r] = static_cast<std::int64_t>(r) * bytes;
  exchange(reinterpret_cast<const std::byte*>(send.data()), lengths, at, reinterpret_cast<std::byte*>(receive.data()),
           lengths, at);
}

}  // namespace ricci::comm
