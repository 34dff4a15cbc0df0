#include "storage/hdf5_slab.hpp"

#include <vector>

namespace ricci::storage {

Hdf5Handle select_in_file(hid_t dataset, const Slab& slab, std::string_view where) {
  Hdf5Handle space(H5Dget_space(dataset), H5Sclose, where, "select part of");
  if (slab.start.empty()) return space;  // a scalar
  const std::vector<hsize_t> start(slab.start.begin(), slab.start.end());
  const std::vector<hsize_t> extent(slab.extent.begin(), slab.extent.end());
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
  return space;
}

Hdf5Handle space_in_memory(const Slab& slab, std::string_view where) {
  const auto count = static_cast<hsize_t>(slab.count);
  return {H5Screate_simple(1, &count, nullptr), H5Sclose, where, "select part of"};
}

}  // namespace ricci::storage
