#pragma once
// NumPy's .npy files.
#include <memory>
#include <string>

#include "storage/array_file.hpp"

namespace ricci::storage {

/// Reads in row-major order, whatever the order in the file. Versions 1, 2 and 3, little-endian f4, f8, c8, c16.
/// InputError where the file is missing, truncated, or holds what is not accepted.
std::unique_ptr<ArrayReader> read_npy(const std::string& path);

/// Version 1.0, row-major; `header` has no symmetry. InputError where it cannot be written, ResourceError where the
/// disk is full.
std::unique_ptr<NewArray> create_npy(const std::string& path, const ArrayHeader& header);
/// Writes into the file of a NewArray; errors call it by `name`.
std::unique_ptr<ArrayWriter> write_npy(const std::string& file, const std::string& name, const ArrayHeader& header);

}  // namespace ricci::storage
