#pragma once
// What is behind a Communicator and a Request: the only header of this room with MPI types in it.
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <vector>

#include <mpi.h>

#include "comm/communicator.hpp"
#include "comm/mailbox.hpp"

namespace ricci::comm {

/// Throws an InternalError with the text of MPI if a call failed.
void check(int status, const char* call);

/// Between MPI_Init and MPI_Finalize.
bool mpi_is_running();

struct Communicator::Handle {
  /// A multiple of a cache line, so that chunks of an aligned buffer are aligned, too.
  static constexpr std::int64_t largest_chunk_limit = (std::int64_t{1} << 31) - 64;

  Handle() = default;
  Handle(MPI_Comm c, bool own);
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();

  bool alone() const { return size == 1; }
  std::int64_t chunks(std::int64_t bytes) const { return (bytes + chunk_limit - 1) / chunk_limit; }
  void count(Call call, std::int64_t messages, std::int64_t bytes) const;

  MPI_Comm communicator = MPI_COMM_NULL;  // null: one rank without MPI
  bool owned = false;
  int rank = 0;
  int size = 1;
  std::int64_t chunk_limit = largest_chunk_limit;
  bool simulates_work = false;
  mutable Mailbox mailbox;  // of messages to oneself
#ifdef RICCI_SIMGRID
  /// A short message to another rank, which nobody waits for before the communicator ends.
  struct Eager {
    std::vector<std::byte> data;
    MPI_Request request;
  };
  mutable std::deque<Eager> eager;
#endif

  // Atomic, as a rank alone may be used by several threads.
  struct Counter {
    std::atomic<std::int64_t> calls = 0, messages = 0, bytes = 0;
  };
  mutable std::array<Counter, call_count> counters;
  mutable std::atomic<std::int64_t> received = 0;  // bytes
};

struct Request::State {
  std::vector<MPI_Request> messages;
  std::shared_ptr<Mailbox::Slot> slot;  // where a message from oneself is expected

  ~State();
};

/// All ranks. A duplicate of MPI_COMM_WORLD if ricci started MPI, so that no message of the program's own gets between
/// ours; MPI_COMM_WORLD itself if the program did, as duplicating would make World() collective.
MPI_Comm world_communicator();

/// Collective.
Communicator duplicate(MPI_Comm communicator);

}  // namespace ricci::comm
