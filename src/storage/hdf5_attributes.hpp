#pragma once
// The attributes that tell a packed dataset from an ordinary one.
#include <optional>
#include <string>
#include <string_view>

#include <ricci/tensor.hpp>

#include "storage/hdf5_handle.hpp"

namespace ricci::storage {

struct PackedAttributes {
  Extents extents;
  Symmetry symmetry;
};

/// Nothing where the dataset has no attribute `format`, or one that is not of ours; then it is an ordinary dataset.
/// InputError, naming `where`, for a later version of the format and for attributes that are missing or malformed.
std::optional<PackedAttributes> read_packed_attributes(hid_t dataset, std::string_view where);
void write_packed_attributes(hid_t dataset, const PackedAttributes& attributes, std::string_view where);

/// The inverse of printing: "[0 1]- [2 3]+ [4 5]o". InputError, naming `where`.
Symmetry parse_symmetry(std::string_view text, std::string_view where);

}  // namespace ricci::storage
