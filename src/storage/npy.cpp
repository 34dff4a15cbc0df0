#include "storage/npy.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "storage/file.hpp"
#include "storage/fortran_order.hpp"
#include "storage/npy_header.hpp"

namespace ricci::storage {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are written as they are in memory");

struct OpenNpy {
  File file;
  NpyHeader header;
  std::int64_t data_offset;
};

std::int64_t little_endian(const unsigned char* bytes, int count) {
  std::int64_t value = 0;
  for (int i = 0; i < count; ++i) value |= std::int64_t{bytes[i]} << (8 * i);
  return value;
}

/// Reads the head and checks that the data it promises are there.
OpenNpy open_npy(const std::string& path) {
  File file = File::open_for_reading(path);
  const std::int64_t size = file.size();
  unsigned char head[12] = {};
  file.read_at(0, head, std::min<std::int64_t>(size, sizeof head));
  if (size < 10 || std::string_view(reinterpret_cast<char*>(head), 6) != "\x93NUMPY") {
    throw InputError(path + ": is no .npy file: it does not begin with the bytes \\x93NUMPY");
  }
  const int version = head[6];
  if (version < 1 || version > 3) {
    throw InputError(fmt::format("{}: .npy version {}; accepted are versions 1, 2 and 3", path, version));
  }
  const int length_bytes = version == 1 ? 2 : 4;
  const std::int64_t length = little_endian(head + 8, length_bytes);
  const std::int64_t data_offset = 8 + length_bytes + length;
  if (data_offset > size) {
    throw InputError(fmt::format("{}: truncated: its header needs {} bytes, the file has {}", path, data_offset, size));
  }
  std::string dictionary(length, '\0');
  file.read_at(8 + length_bytes, dictionary.data(), dictionary.size());
  NpyHeader header = parse_npy_header(dictionary, path);
  if (header.array.bytes() > size - data_offset) {
    throw InputError(fmt::format("{}: truncated: {} needs {} bytes of data, the file has {}", path,
                                 describe(header.array), header.array.bytes(), size - data_offset));
  }
  return {std::move(file), std::move(header), data_offset};
}

}  // namespace

ArrayHeader inspect_npy(const std::string& path) { return open_npy(path).header.array; }

ArrayHeader read_npy(const std::string& path, const Consumer& consumer) {
  const OpenNpy npy = open_npy(path);
  const ArrayHeader& array = npy.header.array;
  if (npy.header.fortran_order && array.shape.order() > 1) {
    read_fortran_order(npy.file, npy.data_offset, array, consumer);
    return array;
  }
  const auto size = static_cast<std::int64_t>(element_size(array.type));
  const std::int64_t most = std::min(chunk_elements(array.type), array.elements());
  std::vector<char> chunk(most * size);
  for (std::int64_t first = 0; first < array.elements(); first += most) {
    const std::int64_t count = std::min(most, array.elements() - first);
    npy.file.read_at(npy.data_offset + first * size, chunk.data(), count * size);
    consumer(first, count, chunk.data());
  }
  return array;
}

void write_npy(const std::string& path, const ArrayHeader& header, const Producer& producer) {
  const std::int64_t elements = header.elements();
  const std::string preamble = format_npy_preamble(header);
  PendingPath pending(path);
  File file = File::create(pending.temporary(), path);
  file.append(preamble.data(), preamble.size());
  const std::int64_t most = std::min(chunk_elements(header.type), elements);
  std::vector<char> chunk(most * element_size(header.type));
  for (std::int64_t first = 0; first < elements; first += most) {
    const std::int64_t count = std::min(most, elements - first);
    producer(first, count, chunk.data());
    file.append(chunk.data(), count * element_size(header.type));
  }
  file.sync();
  pending.commit();
}

}  // namespace ricci::storage
