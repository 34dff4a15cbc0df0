#include "storage/hdf5.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "storage/file.hpp"
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

/// A contiguous dataset lies within the file, whose length was checked when it was opened. Chunks may be missing or
/// fail to unpack, and external files may be short.
bool is_complete(hid_t dataset, std::string_view where) {
  const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose, where, "read");
  const H5D_layout_t layout = H5Pget_layout(properties);
  return (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0) || layout == H5D_COMPACT;
}

/// A dataset that lies in the file in one piece, as it would in memory.
struct Plain {
  File file;
  std::int64_t offset;
};

std::optional<Plain> plain_of(const OpenDataset& source, const std::string& path, hid_t type) {
  const Hdf5Handle properties(H5Dget_create_plist(source.dataset), H5Pclose, source.where, "read");
  const Hdf5Handle stored(H5Dget_type(source.dataset), H5Tclose, source.where, "read");
  const haddr_t offset = H5Dget_offset(source.dataset);  // undefined where nothing has been written
  if (H5Pget_layout(properties) != H5D_CONTIGUOUS || H5Pget_external_count(properties) != 0 ||
      H5Tequal(stored, type) <= 0 || offset == HADDR_UNDEF)
    return std::nullopt;
  return Plain{File::open_for_reading(path), static_cast<std::int64_t>(offset)};
}

class Hdf5Reader final : public ArrayReader {
 public:
  Hdf5Reader(OpenDataset source, const std::string& path)
      : ArrayReader(source.header, source.extents, is_complete(source.dataset, source.where)),
        source_(std::move(source)),
        type_(hdf5_type_of(header().type)),
        plain_(plain_of(source_, path, type_)) {}

  bool is_concurrent() const override { return plain_.has_value(); }

  void read(const Slab& slab, void* elements) const override {
    const Hdf5Silence silence;
    const auto in_memory = space_in_memory(slab, source_.where);
    const auto in_file = select_in_file(source_.dataset, slab, source_.where);
    if (H5Dread(source_.dataset, type_, in_memory, in_file, H5P_DEFAULT, elements) < 0) {
      throw_hdf5_error(source_.where, "read");
    }
  }
  void read_runs(std::span<const FileRun> runs, void* elements) const override {
    if (!plain_) return ArrayReader::read_runs(runs, elements);
    storage::read_runs({plain_->file, plain_->offset, static_cast<std::int64_t>(element_size(header().type))}, runs,
                       elements);
  }
  void read_box(const Box& box, void* elements) const override {
    if (plain_) return ArrayReader::read_box(box, elements);
    if (const Slab slab = slab_of(box, extents()); slab.count > 0) read(slab, elements);
  }

 private:
  OpenDataset source_;
  Hdf5Handle type_;
  std::optional<Plain> plain_;
};

}  // namespace

std::unique_ptr<ArrayReader> read_hdf5(const std::string& path, const std::string& dataset) {
  const Hdf5Silence silence;
  return std::make_unique<Hdf5Reader>(open_dataset(path, dataset), path);
}

}  // namespace ricci::storage
