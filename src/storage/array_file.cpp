#include "storage/array_file.hpp"

#include <utility>
#include <vector>

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

namespace {

/// A box as runs, some at a time: f(runs, at), where `at` is the number in the box of their first element.
template <class F>
void for_some_runs(const Box& box, const Extents& extents, F f) {
  constexpr std::size_t some = 4096;
  std::vector<FileRun> runs;
  std::int64_t begin = 0, end = 0;  // elements of the box
  const auto give = [&] {
    if (!runs.empty()) f(runs, begin);
    runs.clear();
    begin = end;
  };
  for_each_run(box, extents, [&](std::int64_t first, std::int64_t count, std::int64_t) {
    runs.push_back({first, count});
    end += count;
    if (runs.size() == some) give();
  });
  give();
}

}  // namespace

void ArrayReader::read_runs(std::span<const FileRun> runs, void* elements) const {
  auto* to = static_cast<char*>(elements);
  for (const FileRun& run : runs) {
    read({run.first, run.count, {run.first}, {run.count}}, to);
    to += static_cast<std::size_t>(run.count) * element_size(header_.type);
  }
}

void ArrayReader::read_box(const Box& box, void* elements) const {
  auto* const to = static_cast<char*>(elements);
  const std::size_t size = element_size(header_.type);
  for_some_runs(box, extents_, [&](std::span<const FileRun> runs, std::int64_t at) {
    read_runs(runs, to + static_cast<std::size_t>(at) * size);
  });
}

void ArrayReader::read_part(const Box& box, const Part& part, void* elements) const {
  auto* const to = static_cast<char*>(elements);
  const std::size_t size = element_size(header_.type);
  for_each_box(box, part,
               [&](const Box& piece, std::int64_t at) { read_box(piece, to + static_cast<std::size_t>(at) * size); });
}

ArrayWriter::ArrayWriter(const ArrayHeader& header)
    : extents_(extents_in_file(header)), element_bytes_(element_size(header.type)) {}

void ArrayWriter::write_box(const Box& box, const void* elements) {
  const auto* const from = static_cast<const char*>(elements);
  for_some_runs(box, extents_, [&](std::span<const FileRun> runs, std::int64_t at) {
    write_runs(runs, from + static_cast<std::size_t>(at) * element_bytes_);
  });
}

void ArrayWriter::write_part(const Box& box, const Part& part, const void* elements) {
  const auto* const from = static_cast<const char*>(elements);
  for_each_box(box, part, [&](const Box& piece, std::int64_t at) {
    write_box(piece, from + static_cast<std::size_t>(at) * element_bytes_);
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
