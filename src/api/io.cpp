#include <ostream>

#include <ricci/io.hpp>

#include "storage/location.hpp"

namespace ricci {

FileInfo inspect(const std::string& where) {
  const auto header = storage::inspect(storage::parse_location(where));
  return {std::string(name_of(header.type)), header.shape.extents(), header.shape.symmetry()};
}

std::ostream& operator<<(std::ostream& out, const FileInfo& info) {
  return out << info.element_type << ' ' << symmetry::Shape(info.extents, info.symmetry);
}

}  // namespace ricci
