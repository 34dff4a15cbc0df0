#pragma once
// NumPy's .npy files. Neither call holds more than a chunk of the array in memory.
#include <string>

#include "storage/array_file.hpp"

namespace ricci::storage {

/// What the file holds. InputError where it is missing, truncated, or holds what is not accepted.
ArrayHeader inspect_npy(const std::string& path);

/// Hands the elements to the consumer in row-major order, whatever the order in the file. Versions 1, 2 and 3,
/// little-endian f4, f8, c8, c16. Errors as for inspect_npy(), before the consumer is called.
ArrayHeader read_npy(const std::string& path, const Consumer& consumer);

/// Writes version 1.0, row-major; `header` has no symmetry. The file appears under its name only when it is complete.
/// InputError where it cannot be written, ResourceError where the disk is full.
void write_npy(const std::string& path, const ArrayHeader& header, const Producer& producer);

}  // namespace ricci::storage
