#pragma once
#include <mpi.h>

#include "comm/communicator.hpp"

namespace ricci::comm {

struct Communicator::Handle {
  Handle(MPI_Comm c, bool own) : communicator(c), owned(own) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();

  mutable MPI_Comm communicator;
  bool owned;
};

/// Collective.
Communicator duplicate(MPI_Comm communicator);

}  // namespace ricci::comm
