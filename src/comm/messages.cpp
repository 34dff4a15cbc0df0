#include "comm/messages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "comm/chunks.hpp"
#include "comm/handle.hpp"

namespace ricci::comm {

void post_send(const Communicator::Handle& handle, std::span<const std::byte> data, int to, int tag,
               Request::State& request) {
  for_each_chunk(std::ssize(data), handle.chunk_limit, [&](std::int64_t at, int count) {
    start_chunk(handle, data.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)), to, tag, request);
  });
}

void post_receive(const Communicator::Handle& handle, std::span<std::byte> data, int from, int tag,
                  Request::State& request) {
  for_each_chunk(std::ssize(data), handle.chunk_limit, [&](std::int64_t at, int count) {
    request.messages.push_back(MPI_REQUEST_NULL);
    check(MPI_Irecv(data.data() + at, count, MPI_BYTE, from, tag, handle.communicator, &request.messages.back()),
          "MPI_Irecv");
  });
}

void wait_for(Request::State& request) {
  if (request.messages.empty()) return;
  wait_for_chunks(request);
  request.messages.clear();
}

void check_rank(const Communicator::Handle& handle, int rank, const char* call) {
  if (rank < 0 || rank >= handle.size)
    throw InternalError(fmt::format("{} was given rank {} of {}", call, rank, handle.size));
}

namespace {

void check_message(const Communicator::Handle& handle, int partner, int tag, const char* call) {
  check_rank(handle, partner, call);
  if (tag < 0 || tag > Communicator::largest_tag)
    throw InternalError(fmt::format("{} was given the tag {}", call, tag));
}

/// What a send of this rank to another one counts as.
void count_send(const Communicator::Handle& handle, std::int64_t bytes, int to) {
  if (to == handle.rank) bytes = 0;
  handle.count(Call::point, handle.chunks(bytes), bytes);
}

void count_receive(const Communicator::Handle& handle, std::int64_t bytes, int from) {
  if (from != handle.rank) handle.received.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace

Request Communicator::start_send(std::span<const std::byte> data, int to, int tag) const {
  check_message(*handle_, to, tag, "start_send");
  count_send(*handle_, std::ssize(data), to);
  auto state = std::make_unique<Request::State>();
  if (to != handle_->rank)
    post_send(*handle_, data, to, tag, *state);
  else if (!data.empty())
    handle_->mailbox.send(data, tag);
  return Request(std::move(state));
}

Request Communicator::start_receive(std::span<std::byte> data, int from, int tag) const {
  check_message(*handle_, from, tag, "start_receive");
  count_receive(*handle_, std::ssize(data), from);
  auto state = std::make_unique<Request::State>();
  if (from != handle_->rank)
    post_receive(*handle_, data, from, tag, *state);
  else if (!data.empty())
    state->slot = handle_->mailbox.receive(data, tag);
  return Request(std::move(state));
}

Request Communicator::start_shift(std::span<const std::byte> send, int to, std::span<std::byte> receive,
                                  int from) const {
  check_rank(*handle_, to, "start_shift");
  check_rank(*handle_, from, "start_shift");
  if ((to == handle_->rank) != (from == handle_->rank) || (to == handle_->rank && send.size() != receive.size())) {
    throw InternalError(fmt::format("start_shift of rank {} to {} and from {}, {} and {} bytes", handle_->rank, to,
                                    from, send.size(), receive.size()));
  }
  count_send(*handle_, std::ssize(send), to);
  count_receive(*handle_, std::ssize(receive), from);
  auto state = std::make_unique<Request::State>();
  if (to == handle_->rank) {
    std::copy(send.begin(), send.end(), receive.begin());
  } else {
    post_receive(*handle_, receive, from, shift_tag, *state);  // before the send: it then needs no buffer
    post_send(*handle_, send, to, shift_tag, *state);
  }
  return Request(std::move(state));
}

}  // namespace ricci::comm
