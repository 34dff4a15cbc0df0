// From MPI_Init to MPI_Finalize.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "comm/handle.hpp"
#include "comm/start_alone.hpp"

namespace ricci::comm {

namespace {

/// Duplicates of MPI_COMM_WORLD, kept as an attribute of MPI_COMM_SELF: where ranks are threads of a simulation, that
/// is what each has for itself, while they share MPI_COMM_WORLD.
struct Session {
  MPI_Comm world = MPI_COMM_NULL;
  MPI_Comm end = MPI_COMM_NULL;  // where ranks meet at the end: what a failing rank says there disturbs no other call
};

/// The same number on every rank, made once a process.
int session_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &made, nullptr),
          "MPI_Comm_create_keyval");
    return made;
  }();
  return key;
}

/// Null if ricci did not start MPI.
Session* find_session() {
  void* session = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(MPI_COMM_SELF, session_key(), &session, &found), "MPI_Comm_get_attr");
  return found ? static_cast<Session*>(session) : nullptr;
}

std::string text_of_current_exception() {
  const std::exception_ptr current = std::current_exception();
  if (!current) return "std::terminate was called";
  try {
    std::rethrow_exception(current);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

/// Says why and ends every rank: those that wait for this one would wait forever.
void abort_all(const std::string& why) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string line = fmt::format("ricci: rank {} of {}: {}\n", rank, size, why);
  std::fflush(stdout);
  std::fputs(line.c_str(), stderr);  // in one call, so that the lines of several ranks stay whole
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

std::terminate_handler next_handler = nullptr;  // a handler takes no arguments

[[noreturn]] void terminate_all() {
  int size = 1;
  if (mpi_is_running()) MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 1) abort_all(text_of_current_exception());
  if (next_handler) next_handler();  // one rank: as if ricci were not there
  std::abort();
}

/// Whether all ranks came to the end. Without a limit to its patience a rank waits for as long as it takes.
bool all_arrive(MPI_Comm end, std::optional<double> patience) {
  MPI_Request meeting = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(end, &meeting), "MPI_Ibarrier");
  if (!patience) {
    check(MPI_Wait(&meeting, MPI_STATUS_IGNORE), "MPI_Wait");
    return true;
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(*patience);
  for (;;) {
    int done = 0;
    check(MPI_Test(&meeting, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) return true;
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

MPI_Comm world_communicator() {
  const Session* session = find_session();
  return session ? session->world : MPI_COMM_WORLD;
}

bool start_mpi(int* argc, char*** argv) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) return false;
  int provided = 0;
  {
    const StartAlone alone;
    check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  }

  auto session = std::make_unique<Session>();
  check(MPI_Comm_dup(MPI_COMM_WORLD, &session->world), "MPI_Comm_dup");
  check(MPI_Comm_dup(MPI_COMM_WORLD, &session->end), "MPI_Comm_dup");
  check(MPI_Comm_set_attr(MPI_COMM_SELF, session_key(), session.release()), "MPI_Comm_set_attr");

  const std::terminate_handler current = std::get_terminate();
  if (current != terminate_all) {  // ranks that are threads of one process come here one after another
    next_handler = current;
    std::set_terminate(terminate_all);
  }
  return true;
}

void end_mpi(bool unwinding, double patience) {
  if (!mpi_is_running()) return;
  if (const std::unique_ptr<Session> session(find_session()); session) {
    if (!all_arrive(session->end, unwinding ? std::optional(patience) : std::nullopt))
      abort_all("an exception leaves the scope of ricci::Runtime here, while other ranks are still at work");
    check(MPI_Comm_delete_attr(MPI_COMM_SELF, session_key()), "MPI_Comm_delete_attr");
    MPI_Comm_free(&session->world);
    MPI_Comm_free(&session->end);
  }
  MPI_Finalize();
}

}  // namespace ricci::comm
