#pragma once
// The text at the head of an .npy file: a Python dictionary of type, order and shape.
#include <string>
#include <string_view>

#include "storage/array_file.hpp"

namespace ricci::storage {

struct NpyHeader {
  ArrayHeader array;           // never has a symmetry
  bool fortran_order = false;  // the first mode is contiguous, not the last
  bool operator==(const NpyHeader&) const = default;
};

/// From the dictionary, e.g. `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`. InputError, naming `path`,
/// for a type that is not accepted and for what is no such dictionary.
NpyHeader parse_npy_header(std::string_view dictionary, std::string_view path);

/// Magic string, version 1.0 and dictionary in row-major order, padded so that the data are aligned to 64 bytes.
std::string format_npy_preamble(const ArrayHeader& array);

}  // namespace ricci::storage
