#pragma once
// Column-major data in a file, read in row-major order.
#include "storage/array_file.hpp"
#include "storage/file.hpp"

namespace ricci::storage {

/// Hands the elements to the consumer in row-major order. The file is mapped, not loaded: the system keeps as much of
/// it in memory as there is room for. The caller has checked that the file holds all elements.
void read_fortran_order(const File& file, std::int64_t offset, const ArrayHeader& header, const Consumer& consumer);

}  // namespace ricci::storage
