#pragma once
// For programs that bring their own communicator; the only public header that needs <mpi.h>.
#include <mpi.h>

#include <ricci/world.hpp>

namespace ricci {

/// A World of the ranks of a communicator, which is duplicated and freed by ricci. Collective.
World world_from(MPI_Comm communicator);

}  // namespace ricci
