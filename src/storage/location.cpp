#include "storage/location.hpp"

#include <array>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "storage/hdf5.hpp"
#include "storage/npy.hpp"

namespace ricci::storage {
namespace {

constexpr std::array<std::string_view, 3> hdf5_endings = {".h5", ".hdf5", ".he5"};

[[noreturn]] void throw_unknown(std::string_view where, std::string_view why) {
  throw InputError(
      fmt::format("\"{}\": {}; write \"FILE.npy\", or \"FILE.h5:/NAME\" for a dataset of an HDF5 file", where, why));
}

bool is_hdf5(std::string_view path) {
  for (const auto ending : hdf5_endings) {
    if (path.size() > ending.size() && path.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace

Location parse_location(std::string_view where) {
  const auto colon = where.rfind(":/");
  if (colon != std::string_view::npos && is_hdf5(where.substr(0, colon))) {
    const auto dataset = where.substr(colon + 1);
    if (dataset.ends_with('/')) throw_unknown(where, "the name of the dataset is missing");
    return {FileFormat::hdf5, std::string(where.substr(0, colon)), std::string(dataset)};
  }
  if (where.size() > 4 && where.ends_with(".npy")) return {FileFormat::npy, std::string(where), {}};
  if (is_hdf5(where)) throw_unknown(where, "the name of the dataset is missing");
  throw_unknown(where, "neither an .npy file nor a dataset of an .h5 file");
}

std::string to_string(const Location& location) {
  return location.format == FileFormat::npy ? location.path : location.path + ":" + location.dataset;
}

std::unique_ptr<ArrayReader> open_for_reading(const Location& location) {
  return location.format == FileFormat::npy ? read_npy(location.path) : read_hdf5(location.path, location.dataset);
}

ArrayHeader inspect(const Location& location) { return open_for_reading(location)->header(); }

std::unique_ptr<NewArray> create(const Location& location, const ArrayHeader& header) {
  return location.format == FileFormat::npy ? create_npy(location.path, header)
                                            : create_hdf5(location.path, location.dataset, header);
}

std::unique_ptr<ArrayWriter> open_for_writing(const Location& location, const NewArrayPlace& place,
                                              const ArrayHeader& header, const FileDriver& driver) {
  return location.format == FileFormat::npy ? write_npy(place.file, location.path, header)
                                            : write_hdf5(place, to_string(location), header, driver);
}

}  // namespace ricci::storage
