#include "storage/array_file.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ricci/error.hpp>

#include "util/checked.hpp"

namespace ricci::storage {

ArrayHeader make_header(ElementType type, Extents extents, Symmetry symmetry, std::string_view where) {
  try {
    ArrayHeader header{type, symmetry::Shape(std::move(extents), std::move(symmetry))};
    if (!checked_multiply(header.elements(), static_cast<std::int64_t>(element_size(type)))) {
      throw InputError(fmt::format("{} is too large to address", describe(header)));
    }
    return header;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()));
  }
}

Extents extents_in_file(const ArrayHeader& header) {
  return header.shape.symmetry().empty() ? header.shape.extents() : Extents{header.elements()};
}

std::string describe(const ArrayHeader& header) {
  if (header.shape.order() == 0) return fmt::format("{} scalar", name_of(header.type));
  return fmt::format("{} {}", name_of(header.type), fmt::streamed(header.shape));
}

}  // namespace ricci::storage
