#include "comm/communicator.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <ricci/error.hpp>
#include <ricci/mpi.hpp>

#include "comm/handle.hpp"

namespace ricci::comm {

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw InternalError(fmt::format("{} failed: {}", call, std::string(text, static_cast<std::size_t>(length))));
}

bool mpi_is_running() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized && !finalized;
}

Communicator::Handle::Handle(MPI_Comm c, bool own) : communicator(c), owned(own) {
  check(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
}

Communicator::Handle::~Handle() {
#ifdef RICCI_SIMGRID
  for (Eager& message : eager) {
    if (mpi_is_running()) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  }
#endif
  if (owned && mpi_is_running()) MPI_Comm_free(&communicator);
}

void Communicator::Handle::count(Call call, std::int64_t messages, std::int64_t bytes) const {
  Counter& counter = counters[static_cast<std::size_t>(call)];
  counter.calls.fetch_add(1, std::memory_order_relaxed);
  counter.messages.fetch_add(messages, std::memory_order_relaxed);
  counter.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

Communicator::Communicator() : handle_(std::make_shared<Handle>()) {}

Communicator Communicator::world() {
  if (!mpi_is_running()) return {};
  return Communicator(std::make_shared<Handle>(world_communicator(), false));
}

int Communicator::rank() const { return handle_->rank; }
int Communicator::size() const { return handle_->size; }

bool Communicator::same_ranks(const Communicator& other) const {
  const bool both_alone = handle_->alone() && other.handle_->alone();
  return both_alone || handle_->communicator == other.handle_->communicator;
}

Communicator Communicator::split(int color, int key) const {
  together(*this, [&] {
    if (color < 0) throw InputError(fmt::format("World::split was given the color {}; colors are 0 or more", color));
  });
  Communicator part;
  if (handle_->communicator != MPI_COMM_NULL) {
    MPI_Comm communicator = MPI_COMM_NULL;
    check(MPI_Comm_split(handle_->communicator, color, key, &communicator), "MPI_Comm_split");
    part = Communicator(std::make_shared<Handle>(communicator, true));
  }
  part.set_chunk_limit(chunk_limit());
  part.set_simulates_work(handle_->simulates_work);
  return part;
}

Communicator Communicator::split(int color) const { return split(color, rank()); }

int Communicator::ranks_on_a_node() const {
  if (handle_->alone()) return 1;
  MPI_Comm node = MPI_COMM_NULL;
  check(MPI_Comm_split_type(handle_->communicator, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &node),
        "MPI_Comm_split_type");
  int ranks = 1;
  check(MPI_Comm_size(node, &ranks), "MPI_Comm_size");
  check(MPI_Comm_free(&node), "MPI_Comm_free");
  check(MPI_Allreduce(MPI_IN_PLACE, &ranks, 1, MPI_INT, MPI_MAX, handle_->communicator), "MPI_Allreduce");
  return ranks;
}

Communicator duplicate(MPI_Comm communicator) {
  MPI_Comm copy = MPI_COMM_NULL;
  check(MPI_Comm_dup(communicator, &copy), "MPI_Comm_dup");
  return Communicator(std::make_shared<Communicator::Handle>(copy, true));
}

void Communicator::barrier() const {
  if (!handle_->alone()) check(MPI_Barrier(handle_->communicator), "MPI_Barrier");
}

Traffic Communicator::traffic(Call call) const {
  const Handle::Counter& counter = handle_->counters[static_cast<std::size_t>(call)];
  return {counter.calls, counter.messages, counter.bytes};
}

Traffic Communicator::traffic() const {
  Traffic total;
  for (int call = 0; call < call_count; ++call) total += traffic(static_cast<Call>(call));
  return total;
}

std::int64_t Communicator::bytes_received() const { return handle_->received; }

void Communicator::reset_traffic() const {
  handle_->received = 0;
  for (Handle::Counter& counter : handle_->counters) counter.calls = counter.messages = counter.bytes = 0;
}

void Communicator::set_chunk_limit(std::int64_t bytes) const {
  if (bytes < 1 || bytes > Handle::largest_chunk_limit)
    throw InternalError(fmt::format("set_chunk_limit was given {} bytes", bytes));
  handle_->chunk_limit = bytes;
}

std::int64_t Communicator::chunk_limit() const { return handle_->chunk_limit; }

}  // namespace ricci::comm
