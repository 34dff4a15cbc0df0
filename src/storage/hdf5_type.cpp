#include "storage/hdf5_type.hpp"

#include <string_view>

#include <fmt/format.h>

namespace ricci::storage {
namespace {

constexpr std::string_view nowhere = "a type in memory";

std::optional<ElementType> real_type(hid_t stored) {
  if (H5Tget_class(stored) != H5T_FLOAT) return std::nullopt;
  switch (H5Tget_size(stored)) {
    case 4:
      return ElementType::f32;
    case 8:
      return ElementType::f64;
    default:
      return std::nullopt;
  }
}

std::optional<ElementType> member_type(hid_t stored, const char* name) {
  const int member = H5Tget_member_index(stored, name);
  if (member < 0) return std::nullopt;
  return real_type(Hdf5Handle(H5Tget_member_type(stored, member), H5Tclose, nowhere, "read"));
}

}  // namespace

Hdf5Handle hdf5_type_of(ElementType type) {
  const bool single = type == ElementType::f32 || type == ElementType::c32;
  const hid_t real = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  if (!is_complex(type)) return {H5Tcopy(real), H5Tclose, nowhere, "make"};
  Hdf5Handle compound(H5Tcreate(H5T_COMPOUND, element_size(type)), H5Tclose, nowhere, "make");
  H5Tinsert(compound, "r", 0, real);
  H5Tinsert(compound, "i", element_size(type) / 2, real);
  return compound;
}

std::optional<ElementType> element_type_of_hdf5(hid_t stored) {
  if (H5Tget_class(stored) != H5T_COMPOUND || H5Tget_nmembers(stored) != 2) return real_type(stored);
  const auto real = member_type(stored, "r");
  if (!real || member_type(stored, "i") != real) return std::nullopt;
  return *real == ElementType::f32 ? ElementType::c32 : ElementType::c64;
}

std::string describe_hdf5_type(hid_t stored) {
  const auto bits = 8 * H5Tget_size(stored);
  switch (H5Tget_class(stored)) {
    case H5T_INTEGER:
      return fmt::format("{}-bit integers", bits);
    case H5T_FLOAT:
      return fmt::format("{}-bit floating-point numbers", bits);
    case H5T_STRING:
      return "strings";
    case H5T_COMPOUND:
      return fmt::format("records of {} fields", H5Tget_nmembers(stored));
    case H5T_ENUM:
      return "enumerated values";
    default:
      return fmt::format("elements of {} bits of another kind", bits);
  }
}

}  // namespace ricci::storage
