// In place of mpi_io.cpp where the library is built without HDF5.
#include <ricci/error.hpp>

#include "comm/mpi_io.hpp"

namespace ricci::comm {

void use_mpi_io(const Communicator&, std::int64_t) {
  throw InternalError("a property list of HDF5 in a library that is built without it");
}

}  // namespace ricci::comm
