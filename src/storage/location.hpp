#pragma once
// Where a tensor lies on disk: "x.npy", or "x.h5:/name".
#include <string>
#include <string_view>

#include "storage/array_file.hpp"

namespace ricci::storage {

enum class FileFormat { npy, hdf5 };

struct Location {
  FileFormat format = FileFormat::npy;
  std::string path;
  std::string dataset;  // of an HDF5 file, with the leading slash
  bool operator==(const Location&) const = default;
};

/// InputError for anything else.
Location parse_location(std::string_view where);

/// As it is parsed.
std::string to_string(const Location& location);

/// The three calls of npy.hpp and hdf5.hpp, by format. An .npy file has no room for a symmetry.
ArrayHeader inspect(const Location& location);
ArrayHeader read(const Location& location, const Consumer& consumer);
void write(const Location& location, const ArrayHeader& header, const Producer& producer);

}  // namespace ricci::storage
