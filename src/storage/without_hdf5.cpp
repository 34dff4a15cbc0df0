// In place of hdf5.cpp and its like where the library is built without HDF5.
#include <fmt/format.h>

#include <ricci/error.hpp>

#include "storage/hdf5.hpp"

namespace ricci::storage {
namespace {

[[noreturn]] void throw_missing(const std::string& where) {
  throw InputError(fmt::format(
      "{}: this ricci is built for simulated ranks and has no HDF5; use an .npy file, or ricci built for MPI", where));
}

}  // namespace

std::unique_ptr<ArrayReader> read_hdf5(const std::string& path, const std::string& dataset) {
  throw_missing(path + ":" + dataset);
}

std::unique_ptr<NewArray> create_hdf5(const std::string& path, const std::string& dataset, const ArrayHeader&) {
  throw_missing(path + ":" + dataset);
}

std::unique_ptr<ArrayWriter> write_hdf5(const NewArrayPlace&, const std::string& name, const ArrayHeader&,
                                        const FileDriver&) {
  throw_missing(name);
}

}  // namespace ricci::storage
