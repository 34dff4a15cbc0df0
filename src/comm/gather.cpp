// Broadcasts and gathers of bytes.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "comm/chunks.hpp"
#include "comm/handle.hpp"
#include "comm/messages.hpp"

namespace ricci::comm {

namespace {

void count_broadcast(const Communicator::Handle& handle, std::int64_t bytes, int root) {
  const std::int64_t others = handle.rank == root ? handle.size - 1 : 0;
  handle.count(Call::broadcast, others * handle.chunks(bytes), others * bytes);
}

/// Where each piece starts, and at the end the sum.
std::vector<std::int64_t> starts_of(std::span<const std::int64_t> lengths) {
  std::vector<std::int64_t> starts(lengths.size() + 1, 0);
  std::partial_sum(lengths.begin(), lengths.end(), starts.begin() + 1);
  return starts;
}

/// Pieces travel around the ring of ranks, each one step at a time: every rank sends and receives all but one piece, in
/// messages that may go in chunks, as no count or displacement of a collective call can.
void gather_around_ring(const Communicator::Handle& handle, std::byte* all, std::span<const std::int64_t> starts) {
  const int size = handle.size, next = (handle.rank + 1) % size, previous = (handle.rank + size - 1) % size;
  const auto piece = [&](int r) {
    const auto at = static_cast<std::size_t>(r);
    return std::span(all + starts[at], static_cast<std::size_t>(starts[at + 1] - starts[at]));
  };
  for (int step = 0; step + 1 < size; ++step) {
    Request::State request;
    post_receive(handle, piece((handle.rank + 2 * size - step - 1) % size), previous, ring_tag, request);
    post_send(handle, piece((handle.rank + size - step) % size), next, ring_tag, request);
    wait_for(request);
  }
}

}  // namespace

void Communicator::broadcast(std::span<std::byte> data, int root) const {
  check_rank(*handle_, root, "broadcast");
  count_broadcast(*handle_, std::ssize(data), root);
  if (handle_->alone()) return;
  for_each_chunk(std::ssize(data), handle_->chunk_limit, [&](std::int64_t at, int count) {
    check(MPI_Bcast(data.data() + at, count, MPI_BYTE, root, handle_->communicator), "MPI_Bcast");
  });
}

Request Communicator::start_broadcast(std::span<std::byte> data, int root) const {
  check_rank(*handle_, root, "start_broadcast");
  count_broadcast(*handle_, std::ssize(data), root);
  if (handle_->alone()) return {};
  auto state = std::make_unique<Request::State>();
  for_each_chunk(std::ssize(data), handle_->chunk_limit, [&](std::int64_t at, int count) {
    state->messages.push_back(MPI_REQUEST_NULL);
    check(MPI_Ibcast(data.data() + at, count, MPI_BYTE, root, handle_->communicator, &state->messages.back()),
          "MPI_Ibcast");
  });
  return Request(std::move(state));
}

void Communicator::all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                              std::span<const std::int64_t> bytes_of_rank) const {
  const std::vector<std::int64_t> starts = starts_of(bytes_of_rank);
  const auto rank = static_cast<std::size_t>(handle_->rank);
  const std::int64_t total = starts.back();
  if (std::ssize(bytes_of_rank) != handle_->size || bytes_of_rank[rank] != std::ssize(mine) ||
      total != std::ssize(all)) {
    throw InternalError(fmt::format("all_gather on rank {} of {}: {} sizes with the sum {}, {} bytes in, {} out",
                                    handle_->rank, handle_->size, bytes_of_rank.size(), total, mine.size(),
                                    all.size()));
  }
  const std::int64_t others = handle_->size - 1;
  handle_->count(Call::gather, others * handle_->chunks(std::ssize(mine)), others * std::ssize(mine));

  std::byte* const place = all.data() + starts[rank];
  if (!mine.empty() && mine.data() != place) std::memcpy(place, mine.data(), mine.size());
  if (handle_->alone() || total == 0) return;
  if (total > handle_->chunk_limit) return gather_around_ring(*handle_, all.data(), starts);

  const std::vector<int> counts(bytes_of_rank.begin(), bytes_of_rank.end()), at(starts.begin(), starts.end() - 1);
  check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), counts.data(), at.data(), MPI_BYTE,
                       handle_->communicator),
        "MPI_Allgatherv");
}

}  // namespace ricci::comm
