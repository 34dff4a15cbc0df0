// failing_rank MODE: one rank, or all, fail while the others go on; run by the tests, which expect it to end and how.
//   terminate   an exception leaves main on the last rank
//   unwind      an exception passes the end of MPI on the last rank and is caught by main
//   agreed      the same on every rank: MPI ends in good order, and main prints the message
#include <cstdio>
#include <exception>
#include <string>

#include <ricci/error.hpp>

#include "comm/communicator.hpp"

namespace {

/// As ricci::Runtime does, with a patience of its own: a busy machine must not spoil the good order, and where there is
/// none to wait for, the test need not take long.
struct Session {
  explicit Session(double seconds) : patience(seconds) { ricci::comm::start_mpi(nullptr, nullptr); }
  ~Session() { ricci::comm::end_mpi(std::uncaught_exceptions() > 0, patience); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  double patience;
};

void work(bool every_rank_fails) {
  const ricci::comm::Communicator world = ricci::comm::Communicator::world();
  if (every_rank_fails || world.rank() == world.size() - 1) throw ricci::InputError("the label 'q' is not in A");
  world.barrier();  // which the failing rank never comes to
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "terminate") {
    const Session session(1);
    work(false);
    return 0;
  }
  try {
    const Session session(mode == "agreed" ? 30 : 1);
    work(mode == "agreed");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "main caught: %s\n", error.what());
    return 3;
  }
  return 0;
}
