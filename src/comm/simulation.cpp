// What is done otherwise where ranks are simulated: time passes without communication, and messages that take the same
// simulated time as MPI's take less of the simulator's own.
#include "comm/handle.hpp"
#include "comm/messages.hpp"

namespace ricci::comm {

void Communicator::account_flops([[maybe_unused]] double flops) const {
#ifdef RICCI_SIMGRID
  if (handle_->simulates_work && flops > 0) smpi_execute_flops(flops);
#endif
}

void Communicator::set_simulates_work(bool simulates) const { handle_->simulates_work = simulates; }

#ifdef RICCI_SIMGRID

// SMPI has all short messages that are under way, of all ranks, in one list, and searches it for each that ends: the
// square of their number, which is hours on 512 ranks. Those of MPI_Issend are not in that list and arrive at the same
// time. So a short one is copied here, and its sender goes on.
void start_chunk(const Communicator::Handle& handle, std::span<const std::byte> data, int to, int tag,
                 Request::State& request) {
  constexpr std::size_t not_short = 65536;  // smpi/send-is-detached-thresh
  const auto start = [&](std::span<const std::byte> from, MPI_Request& message) {
    check(MPI_Issend(from.data(), static_cast<int>(from.size()), MPI_BYTE, to, tag, handle.communicator, &message),
          "MPI_Issend");
  };
  if (data.size() < not_short) {
    Communicator::Handle::Eager& copy = handle.eager.emplace_back();
    copy.data.assign(data.begin(), data.end());
    start(copy.data, copy.request);
  } else {
    start(data, request.messages.emplace_back(MPI_REQUEST_NULL));
  }
}

// MPI_Waitall looks at all that are left whenever one has come.
void wait_for_chunks(Request::State& request) {
  for (MPI_Request& message : request.messages) check(MPI_Wait(&message, MPI_STATUS_IGNORE), "MPI_Wait");
}

#else

void start_chunk(const Communicator::Handle& handle, std::span<const std::byte> data, int to, int tag,
                 Request::State& request) {
  check(MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_BYTE, to, tag, handle.communicator,
                  &request.messages.emplace_back(MPI_REQUEST_NULL)),
        "MPI_Isend");
}

void wait_for_chunks(Request::State& request) {
  check(MPI_Waitall(static_cast<int>(request.messages.size()), request.messages.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

#endif

}  // namespace ricci::comm
