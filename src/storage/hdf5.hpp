#pragma once
// Tensors in HDF5 files, one dataset each. Neither call holds more than a chunk of the elements in memory.
//
// Without symmetry: an ordinary dataset of the tensor's extents, which any program can read.
// With symmetry: a one-dimensional dataset of the unique elements in storage order, with the attributes
//   format    "ricci-packed-1"
//   extents   64-bit integers, one a mode
//   symmetry  as Symmetry prints, "[0 1]- [2 3]+"
#include <string>

#include "storage/array_file.hpp"

namespace ricci::storage {

/// What a dataset holds. InputError where file or dataset is missing or unreadable, or holds what is not accepted.
ArrayHeader inspect_hdf5(const std::string& path, const std::string& dataset);

/// Hands the elements to the consumer, in the order of the file. Errors as for inspect_hdf5(); a read that fails
/// half-way is an InputError, too.
ArrayHeader read_hdf5(const std::string& path, const std::string& dataset, const Consumer& consumer);

/// Adds the dataset, with the groups it lies in, to a file that is there, or makes the file. An old dataset of this
/// name gives way only when the new one is complete. InputError where it cannot be written, ResourceError where the
/// disk is full.
void write_hdf5(const std::string& path, const std::string& dataset, const ArrayHeader& header,
                const Producer& producer);

}  // namespace ricci::storage
