#pragma once
// MPI behind values: the only room that sees <mpi.h>.
#include <memory>
#include <string>

namespace ricci::comm {

/// A group of ranks. Copies share the same MPI communicator, which is freed with the last of them.
class Communicator {
 public:
  /// Every rank, or one rank alone where MPI is not running.
  static Communicator world();

  int rank() const;
  int size() const;
  /// Collective.
  Communicator split(int color) const;

  struct Handle;
  explicit Communicator(std::shared_ptr<const Handle> handle) : handle_(std::move(handle)) {}

 private:
  std::shared_ptr<const Handle> handle_;  // null: one rank without MPI
};

/// Starts MPI if nobody has; whether it did.
bool start_mpi(int* argc, char*** argv);
void end_mpi();

}  // namespace ricci::comm
