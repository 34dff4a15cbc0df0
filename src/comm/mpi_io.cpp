#include "comm/mpi_io.hpp"

#include <hdf5.h>

#include <ricci/error.hpp>

#include "comm/handle.hpp"

namespace ricci::comm {

void use_mpi_io(const Communicator& communicator, std::int64_t hdf5_property_list) {
  static_assert(std::is_same_v<hid_t, std::int64_t>);
  if (communicator.size() == 1) return;
  if (H5Pset_fapl_mpio(hdf5_property_list, communicator.handle().communicator, MPI_INFO_NULL) < 0) {
    throw InternalError("the HDF5 library refuses to use MPI-IO; it must be built with MPI");
  }
}

}  // namespace ricci::comm
