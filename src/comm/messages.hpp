#pragma once
// Messages between two ranks, in chunks and uncounted: what calls that count are made of.
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"

namespace ricci::comm {

/// Each kind of traffic inside this room has its tag, so that none takes the messages of another.
enum ReservedTag : int { exchange_tag = Communicator::largest_tag + 1, shift_tag, ring_tag };

/// Adds a message to another rank to what `request` waits for; nothing for an empty one.
void post_send(const Communicator::Handle& handle, std::span<const std::byte> data, int to, int tag,
               Request::State& request);
void post_receive(const Communicator::Handle& handle, std::span<std::byte> data, int from, int tag,
                  Request::State& request);

void wait_for(Request::State& request);

/// What the above do for messages that MPI takes as one, with real ranks or simulated ones (simulation.cpp).
void start_chunk(const Communicator::Handle& handle, std::span<const std::byte> data, int to, int tag,
                 Request::State& request);
void wait_for_chunks(Request::State& request);

/// Throws an InternalError unless 0 <= rank < size.
void check_rank(const Communicator::Handle& handle, int rank, const char* call);

}  // namespace ricci::comm
