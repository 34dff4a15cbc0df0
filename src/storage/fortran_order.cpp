#include "storage/fortran_order.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/mman.h>

namespace ricci::storage {
namespace {

class Mapping {
 public:
  Mapping(const File& file, std::size_t bytes)
      : bytes_(bytes), address_(mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.descriptor(), 0)) {
    if (address_ == MAP_FAILED) throw_system_error(file.name(), "read", errno);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { munmap(address_, bytes_); }

  const char* data() const { return static_cast<const char*>(address_); }

 private:
  std::size_t bytes_;
  void* address_;
};

template <std::size_t size>
void gather_run(const char* from, std::int64_t stride, std::int64_t count, char* to) {
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * size, from + i * stride * size, size);
}

void gather_run(std::size_t size, const char* from, std::int64_t stride, std::int64_t count, char* to) {
  switch (size) {
    case 4:
      return gather_run<4>(from, stride, count, to);
    case 8:
      return gather_run<8>(from, stride, count, to);
    default:
      return gather_run<16>(from, stride, count, to);
  }
}

/// Walks an array in row-major order, one run along the last mode at a time, and knows the column-major position.
class RowMajorWalk {
 public:
  explicit RowMajorWalk(const std::vector<std::int64_t>& extents) : extents_(extents), index_(extents.size()) {
    for (const std::int64_t extent : extents) {
      strides_.push_back(total_);
      total_ *= extent;
    }
  }

  std::int64_t total() const { return total_; }
  std::int64_t position() const { return position_; }
  std::int64_t last_stride() const { return strides_.back(); }
  std::int64_t left_in_run() const { return extents_.back() - index_.back(); }

  /// By `count` elements of the last mode; at most left_in_run().
  void advance(std::int64_t count) {
    index_.back() += count;
    position_ += count * strides_.back();
    for (std::size_t mode = extents_.size() - 1; mode > 0 && index_[mode] == extents_[mode]; --mode) {
      index_[mode] = 0;
      ++index_[mode - 1];
      position_ += strides_[mode - 1] - strides_[mode] * extents_[mode];
    }
  }

 private:
  std::vector<std::int64_t> extents_, index_, strides_;
  std::int64_t total_ = 1;
  std::int64_t position_ = 0;
};

}  // namespace

void read_fortran_order(const File& file, std::int64_t offset, const ArrayHeader& header, const Consumer& consumer) {
  RowMajorWalk walk(header.shape.extents());
  if (walk.total() == 0) return;
  const std::size_t size = element_size(header.type);
  const Mapping mapping(file, offset + walk.total() * size);
  const char* const data = mapping.data() + offset;
  const std::int64_t most = std::min(chunk_elements(header.type), walk.total());
  std::vector<char> chunk(most * size);
  for (std::int64_t first = 0; first < walk.total(); first += most) {
    const std::int64_t count = std::min(most, walk.total() - first);
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t run = std::min(walk.left_in_run(), count - done);
      gather_run(size, data + walk.position() * size, walk.last_stride(), run, chunk.data() + done * size);
      walk.advance(run);
      done += run;
    }
    consumer(first, count, chunk.data());
  }
}

}  // namespace ricci::storage
