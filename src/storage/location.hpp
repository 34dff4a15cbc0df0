#pragma once
// Where a tensor lies on disk: "x.npy", or "x.h5:/name".
#include <memory>
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

// The calls of npy.hpp and hdf5.hpp, by format. An .npy file has no room for a symmetry.

std::unique_ptr<ArrayReader> open_for_reading(const Location& location);
ArrayHeader inspect(const Location& location);
std::unique_ptr<NewArray> create(const Location& location, const ArrayHeader& header);
/// Writes into the NewArray of this location, which is at `place`.
std::unique_ptr<ArrayWriter> open_for_writing(const Location& location, const NewArrayPlace& place,
                                              const ArrayHeader& header, const FileDriver& driver);

}  // namespace ricci::storage
