#pragma once
// Slabs as the HDF5 library selects them.
#include <string_view>

#include "storage/hdf5_handle.hpp"
#include "storage/slabs.hpp"

namespace ricci::storage {

/// The part of a dataset that a slab stands for.
Hdf5Handle select_in_file(hid_t dataset, const Slab& slab, std::string_view where);

/// The chunk that a slab is in memory: one dimension.
Hdf5Handle space_in_memory(const Slab& slab, std::string_view where);

}  // namespace ricci::storage
