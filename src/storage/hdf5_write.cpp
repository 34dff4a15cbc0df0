#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "storage/file.hpp"
#include "storage/hdf5.hpp"
#include "storage/hdf5_attributes.hpp"
#include "storage/hdf5_handle.hpp"
#include "storage/hdf5_slab.hpp"
#include "storage/hdf5_type.hpp"

namespace ricci::storage {
namespace {

/// How the elements lie in a dataset: as the tensor does, or in one dimension where they are packed.
Extents extents_in_file(const ArrayHeader& header) {
  return header.shape.symmetry().empty() ? header.shape.extents() : Extents{header.elements()};
}

Hdf5Handle create_dataset(hid_t file, const std::string& name, const ArrayHeader& header, std::string_view where) {
  const auto extents = extents_in_file(header);
  const std::vector<hsize_t> dims(extents.begin(), extents.end());
  const Hdf5Handle space(
      dims.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
      H5Sclose, where, "create");
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, where, "create");
  H5Pset_create_intermediate_group(links, 1);
  Hdf5Handle dataset(H5Dcreate2(file, name.c_str(), hdf5_type_of(header.type), space, links, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose, where, "create");
  if (!header.shape.symmetry().empty()) {
    write_packed_attributes(dataset, {header.shape.extents(), header.shape.symmetry()}, where);
  }
  return dataset;
}

void write_elements(hid_t dataset, const ArrayHeader& header, const Producer& producer, std::string_view where) {
  const auto type = hdf5_type_of(header.type);
  std::vector<char> chunk(std::min(header.elements(), chunk_elements(header.type)) * element_size(header.type));
  for_each_slab(extents_in_file(header), chunk_elements(header.type), [&](const Slab& slab) {
    producer(slab.first, slab.count, chunk.data());
    const auto in_memory = space_in_memory(slab, where);
    const auto in_file = select_in_file(dataset, slab, where);
    if (H5Dwrite(dataset, type, in_memory, in_file, H5P_DEFAULT, chunk.data()) < 0) throw_hdf5_error(where, "write");
  });
}

/// Writes under a name of its own, then takes the place of what has the name.
void write_dataset(hid_t file, const std::string& name, const ArrayHeader& header, const Producer& producer,
                   std::string_view where) {
  const auto temporary = fmt::format("{}.part-{}", name, getpid());
  try {
    write_elements(create_dataset(file, temporary, header, where), header, producer, where);
  } catch (...) {
    H5Ldelete(file, temporary.c_str(), H5P_DEFAULT);
    throw;
  }
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  if (H5Lmove(file, temporary.c_str(), H5L_SAME_LOC, name.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0 ||
      H5Fflush(file, H5F_SCOPE_LOCAL) < 0) {
    throw_hdf5_error(where, "write");
  }
}

}  // namespace

void write_hdf5(const std::string& path, const std::string& dataset, const ArrayHeader& header,
                const Producer& producer) {
  const Hdf5Silence silence;
  const auto where = path + ":" + dataset;
  if (access(path.c_str(), F_OK) == 0) {
    auto file = open_hdf5_file(path, H5F_ACC_RDWR);
    write_dataset(file, dataset, header, producer, where);
    if (!file.close()) throw_hdf5_error(where, "write");
    return;
  }
  PendingPath pending(path);
  Hdf5Handle file(H5Fcreate(pending.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, path,
                  "create");
  write_dataset(file, dataset, header, producer, where);
  if (!file.close()) throw_hdf5_error(where, "write");
  File::open_for_reading(pending.temporary()).sync();
  pending.commit();
}

}  // namespace ricci::storage
