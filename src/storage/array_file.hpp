#pragma once
// What the file formats share: what an array on disk is, and how it is streamed in chunks of bounded size.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "symmetry/shape.hpp"
#include "util/element_type.hpp"

namespace ricci::storage {

/// An array in a file. With symmetry only the unique elements are there, in the storage order of the packed tensor;
/// without it all of them, row-major.
struct ArrayHeader {
  ElementType type = ElementType::f64;
  symmetry::Shape shape;

  std::int64_t elements() const { return shape.stored_size(); }
  std::int64_t bytes() const { return elements() * static_cast<std::int64_t>(element_size(type)); }
  bool operator==(const ArrayHeader&) const = default;
};

/// InputError, naming `where`, for an impossible shape or one that 64 bits cannot address.
ArrayHeader make_header(ElementType type, Extents extents, Symmetry symmetry, std::string_view where);

/// Takes (or gives) the elements first, first + 1, …, first + count - 1 of the file, of the header's type.
using Consumer = std::function<void(std::int64_t first, std::int64_t count, const void* elements)>;
using Producer = std::function<void(std::int64_t first, std::int64_t count, void* elements)>;

/// The most elements that a Consumer or Producer is handed at once: 4 MiB of them.
constexpr std::int64_t chunk_elements(ElementType type) {
  return (std::int64_t{4} << 20) / static_cast<std::int64_t>(element_size(type));
}

/// `double 3,4`, `double scalar`: an array in a message.
std::string describe(const ArrayHeader& header);

/// The element types that files may hold, for messages.
inline constexpr std::string_view accepted_types =
    "accepted are float (f4), double (f8) and their complex types (c8, c16)";

}  // namespace ricci::storage
