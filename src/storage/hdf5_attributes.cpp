#include "storage/hdf5_attributes.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>

namespace ricci::storage {
namespace {

constexpr std::string_view packed_format = "ricci-packed-1";
constexpr std::string_view format_family = "ricci-";

Hdf5Handle open_attribute(hid_t dataset, const char* name, std::string_view where) {
  if (H5Aexists(dataset, name) <= 0) throw InputError(fmt::format("{}: its attribute `{}` is missing", where, name));
  return {H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, where, "read"};
}

std::string read_string(hid_t dataset, const char* name, std::string_view where) {
  const auto attribute = open_attribute(dataset, name, where);
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, where, "read");
  if (H5Tget_class(type) != H5T_STRING) throw InputError(fmt::format("{}: its attribute `{}` is no text", where, name));
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute, type, static_cast<void*>(&text)) < 0) throw_hdf5_error(where, "read");
    std::string copy(text == nullptr ? "" : text);
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) throw_hdf5_error(where, "read");
  return text.substr(0, text.find('\0'));
}

Extents read_extents(hid_t dataset, std::string_view where) {
  const auto attribute = open_attribute(dataset, "extents", where);
  const Hdf5Handle space(H5Aget_space(attribute), H5Sclose, where, "read");
  Extents extents(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (H5Aread(attribute, H5T_NATIVE_INT64, extents.data()) < 0) throw_hdf5_error(where, "read");
  return extents;
}

void write_string(hid_t dataset, const char* name, std::string_view text, std::string_view where) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, where, "write");
  H5Tset_size(type, text.size());
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, where, "write");
  const Hdf5Handle attribute(H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, where,
                             "write");
  if (H5Awrite(attribute, type, text.data()) < 0) throw_hdf5_error(where, "write");
}

/// `0 1` of `[0 1]-`.
std::vector<int> parse_modes(std::string_view text) {
  std::vector<int> modes;
  while (true) {
    const auto start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) return modes;
    text.remove_prefix(start);
    int mode = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), mode);
    if (error != std::errc{}) return {};  // which Symmetry rejects
    modes.push_back(mode);
    text.remove_prefix(rest - text.data());
  }
}

std::optional<SymmetryKind> kind_of(char mark) {
  switch (mark) {
    case '+':
      return SymmetryKind::symmetric;
    case '-':
      return SymmetryKind::antisymmetric;
    case 'o':
      return SymmetryKind::hollow;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<PackedAttributes> read_packed_attributes(hid_t dataset, std::string_view where) {
  if (H5Aexists(dataset, "format") <= 0) return std::nullopt;
  const auto format = read_string(dataset, "format", where);
  if (!format.starts_with(format_family)) return std::nullopt;
  if (format != packed_format) {
    throw InputError(fmt::format("{}: its format is {}; this version of ricci reads {}", where, format, packed_format));
  }
  return PackedAttributes{read_extents(dataset, where), parse_symmetry(read_string(dataset, "symmetry", where), where)};
}

void write_packed_attributes(hid_t dataset, const PackedAttributes& attributes, std::string_view where) {
  write_string(dataset, "format", packed_format, where);
  write_string(dataset, "symmetry", fmt::format("{}", fmt::streamed(attributes.symmetry)), where);
  const hsize_t order = attributes.extents.size();
  const Hdf5Handle space(H5Screate_simple(1, &order, nullptr), H5Sclose, where, "write");
  const Hdf5Handle attribute(H5Acreate2(dataset, "extents", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                             where, "write");
  if (H5Awrite(attribute, H5T_NATIVE_INT64, attributes.extents.data()) < 0) throw_hdf5_error(where, "write");
}

Symmetry parse_symmetry(std::string_view text, std::string_view where) {
  Symmetry symmetry;
  const auto malformed = InputError(fmt::format("{}: \"{}\" is no symmetry such as \"[0 1]- [2 3]+\"", where, text));
  while (!text.empty()) {
    const auto close = text.find(']');
    if (text[0] != '[' || close == std::string_view::npos || close + 1 == text.size()) throw malformed;
    const auto kind = kind_of(text[close + 1]);
    const auto modes = parse_modes(text.substr(1, close - 1));
    if (!kind || modes.size() < 2) throw malformed;
    symmetry = symmetry * Symmetry(*kind, modes);
    text.remove_prefix(close + 2);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return symmetry;
}

}  // namespace ricci::storage
