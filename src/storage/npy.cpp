#include "storage/npy.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

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

class NpyReader final : public ArrayReader {
 public:
  explicit NpyReader(OpenNpy npy)
      : ArrayReader(npy.header.array, npy.header.array.shape.extents(), true),
        file_(std::move(npy.file)),
        offset_(npy.data_offset) {
    if (npy.header.fortran_order && header().shape.order() > 1) columns_.emplace(file_, offset_, header());
  }

  void read(const Slab& slab, void* elements) const override {
    if (columns_) return columns_->read(slab.first, slab.count, elements);
    const FileRun run{slab.first, slab.count};
    read_runs({&run, 1}, elements);
  }
  void read_runs(std::span<const FileRun> runs, void* elements) const override {
    if (columns_) return ArrayReader::read_runs(runs, elements);
    storage::read_runs({file_, offset_, static_cast<std::int64_t>(element_size(header().type))}, runs, elements);
  }

 private:
  File file_;
  std::int64_t offset_;
  std::optional<FortranOrder> columns_;
};

class NewNpy final : public NewArray {
 public:
  NewNpy(const std::string& path, const ArrayHeader& header) : pending_(path) {
    const std::string preamble = format_npy_preamble(header);
    const File file = File::create(pending_.temporary(), path);
    file.reserve(std::ssize(preamble) + header.bytes());
    file.write_at(0, preamble.data(), preamble.size());
    file.sync();
  }

  NewArrayPlace place() const override { return {pending_.temporary(), {}}; }
  void commit() override { pending_.commit(); }

 private:
  PendingPath pending_;
};

class NpyWriter final : public ArrayWriter {
 public:
  NpyWriter(File file, const ArrayHeader& header)
      : ArrayWriter(header),
        file_(std::move(file)),
        offset_(std::ssize(format_npy_preamble(header))),
        size_(static_cast<std::int64_t>(element_size(header.type))) {}

  void write(const Slab& slab, const void* elements) override {
    const FileRun run{slab.first, slab.count};
    write_runs({&run, 1}, elements);
  }
  void write_runs(std::span<const FileRun> runs, const void* elements) override {
    storage::write_runs({file_, offset_, size_}, runs, elements);
  }
  void finish() override { file_.sync(); }

 private:
  File file_;
  std::int64_t offset_, size_;
};

}  // namespace

std::unique_ptr<ArrayReader> read_npy(const std::string& path) { return std::make_unique<NpyReader>(open_npy(path)); }

std::unique_ptr<NewArray> create_npy(const std::string& path, const ArrayHeader& header) {
  return std::make_unique<NewNpy>(path, header);
}

std::unique_ptr<ArrayWriter> write_npy(const std::string& file, const std::string& name, const ArrayHeader& header) {
  return std::make_unique<NpyWriter>(File::open_for_writing(file, name), header);
}

}  // namespace ricci::storage
