#pragma once
// Files that the ranks of a communicator write together.
#include <cstdint>

#include "comm/communicator.hpp"

namespace ricci::comm {

/// Makes HDF5 open files through MPI-IO, with these ranks: sets it in a file-access property list, a hid_t of the HDF5
/// library. Opening and closing a file with it are collective; transfers are independent unless a transfer asks for
/// more. For one rank it leaves the list as it is: then no MPI is needed.
void use_mpi_io(const Communicator& communicator, std::int64_t hdf5_property_list);

}  // namespace ricci::comm
