#include "storage/hdf5.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "storage/hdf5_attributes.hpp"
#include "storage/hdf5_handle.hpp"
#include "storage/hdf5_slab.hpp"
#include "storage/hdf5_type.hpp"

namespace ricci::storage {
namespace {

struct OpenDataset {
  std::string where;
  Hdf5Handle file;
  Hdf5Handle dataset;
  Extents extents;  // of the dataset, which is one-dimensional where it is packed
  ArrayHeader header;
};

Extents dataset_extents(hid_t dataset, std::string_view where) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, where, "read");
  if (H5Sget_simple_extent_type(space) == H5S_NULL) throw InputError(fmt::format("{}: is empty", where));
  std::vector<hsize_t> extents(H5Sget_simple_extent_ndims(space));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return Extents(std::vector<std::int64_t>(extents.begin(), extents.end()));
}

ElementType dataset_type(hid_t dataset, std::string_view where) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, where, "read");
  const auto element = element_type_of_hdf5(type);
  if (element) return *element;
  throw InputError(fmt::format("{}: holds {}; {}", where, describe_hdf5_type(type), accepted_types));
}

OpenDataset open_dataset(const std::string& path, const std::string& name) {
  const auto where = path + ":" + name;
  auto file = open_hdf5_file(path, H5F_ACC_RDONLY);
  const Hdf5Handle object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose, where, "find");
  if (H5Iget_type(object) != H5I_DATASET) throw InputError(where + ": is no dataset but a group or a type");
  Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, where, "open");
  auto extents = dataset_extents(dataset, where);
  const auto type = dataset_type(dataset, where);
  const auto packed = read_packed_attributes(dataset, where);
  auto header =
      packed ? make_header(type, packed->extents, packed->symmetry, where) : make_header(type, extents, {}, where);
  if (packed && extents != Extents{header.elements()}) {
    throw InputError(fmt::format("{}: {} has {} unique elements, but the dataset does not hold as many", where,
                                 describe(header), header.elements()));
  }
  return {where, std::move(file), std::move(dataset), std::move(extents), std::move(header)};
}

}  // namespace

ArrayHeader inspect_hdf5(const std::string& path, const std::string& dataset) {
  const Hdf5Silence silence;
  return open_dataset(path, dataset).header;
}

ArrayHeader read_hdf5(const std::string& path, const std::string& dataset, const Consumer& consumer) {
  const Hdf5Silence silence;
  const auto source = open_dataset(path, dataset);
  const ArrayHeader& header = source.header;
  const auto type = hdf5_type_of(header.type);
  std::vector<char> chunk(std::min(header.elements(), chunk_elements(header.type)) * element_size(header.type));
  for_each_slab(source.extents, chunk_elements(header.type), [&](const Slab& slab) {
    const auto in_memory = space_in_memory(slab, source.where);
    const auto in_file = select_in_file(source.dataset, slab, source.where);
    if (H5Dread(source.dataset, type, in_memory, in_file, H5P_DEFAULT, chunk.data()) < 0) {
      throw_hdf5_error(source.where, "read");
    }
    consumer(slab.first, slab.count, chunk.data());
  });
  return header;
}

}  // namespace ricci::storage
