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

void ArrayReader::read_box(const Box& box, void* elements) const {
  auto* const to = static_cast<char*>(elements);
  const std::size_t size = element_size(header_.type);
  for_each_run(box, extents_, [&](std::int64_t first, std::int64_t count, std::int64_t at) {
    read({first, count, {}, {}}, to + static_cast<std::size_t>(at) * size);
  });
}

ArrayWriter::ArrayWriter(const ArrayHeader& header)
    : extents_(extents_in_file(header)), element_bytes_(element_size(header.type)) {}

void ArrayWriter::write_box(const Box& box, const void* elements) {
  const auto* const from = static_cast<const char*>(elements);
  for_each_run(box, extents_, [&](std::int64_t first, std::int64_t count, std::int64_t at) {
    write({first, count, {}, {}}, from + static_cast<std::size_t>(at) * element_bytes_);
  });
}

Extents extents_in_file(const ArrayHeader& header) {
  return header.shape.symmetry().empty() ? header.shape.extents() : Extents{header.elements()};
}

std::string describe(const ArrayHeader& header) {
  if (header.shape.order() == 0) return fmt::format("{} scalar", name_of(header.type));
  return fmt::format("{} {}", name_of(header.type), fmt::streamed(header.shape));
}

}  // namespace ricci::storage
