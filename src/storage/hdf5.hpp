#pragma once
// Tensors in HDF5 files, one dataset each.
//
// Without symmetry: an ordinary dataset of the tensor's extents, which any program can read.
// With symmetry: a one-dimensional dataset of the unique elements in storage order, with the attributes
//   format    "ricci-packed-1"
//   extents   64-bit integers, one a mode
//   symmetry  as Symmetry prints, "[0 1]- [2 3]+"
//
// Several processes: each reads by itself, with the driver for one process, as readers need not know of each other; so
// one that fails strands nobody, and chunked and compressed datasets of other programs can be read. For writing, one
// process makes the dataset with its attributes and its room in the file, and later gives it its name. In between all
// open the file with a FileDriver and write their slabs independently: each is one contiguous piece of up to 4 MiB, so
// there is nothing to aggregate, and no process waits for one that has failed. The library changes no metadata then.
#include <memory>
#include <string>

#include "storage/array_file.hpp"

namespace ricci::storage {

/// InputError where file or dataset is missing or unreadable, or holds what is not accepted.
std::unique_ptr<ArrayReader> read_hdf5(const std::string& path, const std::string& dataset);

/// Adds the dataset, with the groups it lies in, to a file that is there, or makes the file. An old dataset of this
/// name gives way in commit(). InputError where it cannot be written, ResourceError where the disk is full.
std::unique_ptr<NewArray> create_hdf5(const std::string& path, const std::string& dataset, const ArrayHeader& header);
/// Writes into the dataset of a NewArray; errors call it by `name`. Opening and closing are collective with a driver
/// that makes them so.
std::unique_ptr<ArrayWriter> write_hdf5(const NewArrayPlace& place, const std::string& name, const ArrayHeader& header,
                                        const FileDriver& driver);

}  // namespace ricci::storage
