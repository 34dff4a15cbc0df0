#pragma once
// Element types as HDF5 types: complex numbers are compounds {r, i}, as h5py has them.
#include <optional>
#include <string>

#include "storage/hdf5_handle.hpp"
#include "util/element_type.hpp"

namespace ricci::storage {

/// The type of elements in memory, which is also how they are written.
Hdf5Handle hdf5_type_of(ElementType type);

/// The element type that a stored type is read as, in either byte order; nothing for one that is not accepted.
std::optional<ElementType> element_type_of_hdf5(hid_t stored);

/// A stored type in words: `64-bit integers`.
std::string describe_hdf5_type(hid_t stored);

}  // namespace ricci::storage
