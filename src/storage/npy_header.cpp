#include "storage/npy_header.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::storage {
namespace {

constexpr std::pair<std::string_view, ElementType> type_codes[] = {
    {"<f4", ElementType::f32}, {"<f8", ElementType::f64}, {"<c8", ElementType::c32}, {"<c16", ElementType::c64}};

[[noreturn]] void throw_malformed(std::string_view path, std::string_view what) {
  throw InputError(fmt::format("{}: no readable .npy header: {}", path, what));
}

/// The text after `'key':`, without leading blanks.
std::string_view value_of(std::string_view dictionary, std::string_view key, std::string_view path) {
  for (const char quote : {'\'', '"'}) {
    const auto at = dictionary.find(fmt::format("{0}{1}{0}", quote, key));
    if (at == std::string_view::npos) continue;
    const auto colon = dictionary.find(':', at + key.size() + 2);
    if (colon == std::string_view::npos) break;
    const auto start = dictionary.find_first_not_of(" \t", colon + 1);
    if (start == std::string_view::npos) break;
    return dictionary.substr(start);
  }
  throw_malformed(path, fmt::format("'{}' is missing", key));
}

ElementType parse_type(std::string_view value, std::string_view path) {
  if (value[0] == '[') {
    throw InputError(fmt::format("{}: holds records of several fields; {}", path, accepted_types));
  }
  const auto end = value.find(value[0], 1);
  if ((value[0] != '\'' && value[0] != '"') || end == std::string_view::npos) {
    throw_malformed(path, "'descr' is no type");
  }
  const auto code = value.substr(1, end - 1);
  for (const auto& [known, type] : type_codes) {
    if (code == known) return type;
  }
  const auto* const order = code.starts_with('>') ? " (big-endian)" : "";
  throw InputError(
      fmt::format("{}: holds elements of type '{}'{}; {}, little-endian; in NumPy, convert it with "
                  "a.astype('<f8')",
                  path, code, order, accepted_types));
}

Extents parse_shape(std::string_view value, std::string_view path) {
  const auto end = value.find(')');
  if (value[0] != '(' || end == std::string_view::npos) throw_malformed(path, "'shape' is no tuple");
  value = value.substr(1, end - 1);
  Extents shape;
  while (true) {
    const auto start = value.find_first_not_of(" ,L");  // Python 2 wrote 3L
    if (start == std::string_view::npos) return shape;
    value.remove_prefix(start);
    std::int64_t extent = 0;
    const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), extent);
    if (error != std::errc{} || extent < 0) throw_malformed(path, "'shape' holds something else than extents");
    shape.push_back(extent);
    value.remove_prefix(rest - value.data());
  }
}

}  // namespace

NpyHeader parse_npy_header(std::string_view dictionary, std::string_view path) {
  const ElementType type = parse_type(value_of(dictionary, "descr", path), path);
  const auto order = value_of(dictionary, "fortran_order", path);
  const bool fortran_order = order.starts_with("True");
  if (!fortran_order && !order.starts_with("False")) throw_malformed(path, "'fortran_order' is no truth value");
  return {make_header(type, parse_shape(value_of(dictionary, "shape", path), path), {}, path), fortran_order};
}

std::string format_npy_preamble(const ArrayHeader& array) {
  std::string_view code;
  for (const auto& [known, type] : type_codes) {
    if (type == array.type) code = known;
  }
  std::string shape;
  for (const std::int64_t extent : array.shape.extents()) shape += fmt::format("{},", extent);
  if (array.shape.order() > 1) shape.pop_back();  // (3,) but (3,4)
  auto text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", code, shape);
  constexpr std::size_t fixed = 10;  // magic string, version, length
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text += '\n';
  if (text.size() > 0xffff) throw InputError("a tensor of so many modes does not fit into an .npy header");
  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble += static_cast<char>(text.size() & 0xff);
  preamble += static_cast<char>(text.size() >> 8);
  return preamble + text;
}

}  // namespace ricci::storage
