#include "comm/request.hpp"

#include <ricci/error.hpp>

#include "comm/handle.hpp"
#include "comm/messages.hpp"

namespace ricci::comm {

namespace {

/// Nothing that this thread could wait for would send it.
void check_filled(const Request::State& state) {
  if (state.slot && !state.slot->filled)
    throw InternalError("a rank waits for a message from itself that it has not sent");
}

}  // namespace

Request::State::~State() {
  // No check of the status: a destructor has nobody to tell. After MPI has ended there is nothing to wait for.
  if (!messages.empty() && mpi_is_running())
    MPI_Waitall(static_cast<int>(messages.size()), messages.data(), MPI_STATUSES_IGNORE);
}

Request::Request() = default;
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(Request&&) noexcept = default;
Request::~Request() = default;

Request::Request(std::unique_ptr<State> state) : state_(std::move(state)) {}

void Request::wait() {
  if (!state_) return;
  check_filled(*state_);
  wait_for(*state_);
  state_.reset();
}

bool Request::test() {
  if (!state_) return true;
  if (state_->slot && !state_->slot->filled) return false;
  if (!state_->messages.empty()) {
    int done = 0;
    check(MPI_Testall(static_cast<int>(state_->messages.size()), state_->messages.data(), &done, MPI_STATUSES_IGNORE),
          "MPI_Testall");
    if (!done) return false;
    state_->messages.clear();
  }
  state_.reset();
  return true;
}

void wait_all(std::span<Request> requests) {
  for (const Request& request : requests)
    if (request.state_) check_filled(*request.state_);
  // The messages move into one request, which MPI then waits for as a whole.
  Request::State all;
  for (Request& request : requests) {
    if (!request.state_) continue;
    auto& messages = request.state_->messages;
    all.messages.insert(all.messages.end(), messages.begin(), messages.end());
    messages.clear();
    request.state_.reset();
  }
  wait_for(all);
}

}  // namespace ricci::comm
