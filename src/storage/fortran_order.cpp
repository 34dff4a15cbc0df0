#include "storage/fortran_order.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/mman.h>

namespace ricci::storage {
namespace {

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
    std::int64_t stride = 1;
    for (const std::int64_t extent : extents) {
      strides_.push_back(stride);
      stride *= extent;
    }
  }

  /// To the element at a row-major position.
  void seek(std::int64_t first) {
    position_ = 0;
    for (std::size_t mode = extents_.size(); mode-- > 0; first /= extents_[mode]) {
      index_[mode] = first % extents_[mode];
      position_ += index_[mode] * strides_[mode];
    }
  }

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
  std::int64_t position_ = 0;
};

}  // namespace

FortranOrder::FortranOrder(const File& file, std::int64_t offset, const ArrayHeader& header)
    : extents_(header.shape.extents()), size_(element_size(header.type)), offset_(offset) {
  if (header.elements() == 0) return;
  bytes_ = static_cast<std::size_t>(offset + header.bytes());
  address_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (address_ == MAP_FAILED) throw_system_error(file.name(), "read", errno);
}

FortranOrder::~FortranOrder() {
  if (bytes_ > 0) munmap(address_, bytes_);
}

void FortranOrder::read(std::int64_t first, std::int64_t count, void* elements) const {
  RowMajorWalk walk(extents_);
  walk.seek(first);
  const char* const data = static_cast<const char*>(address_) + offset_;
  auto* const to = static_cast<char*>(elements);
  const auto size = static_cast<std::int64_t>(size_);
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t run = std::min(walk.left_in_run(), count - done);
    gather_run(size_, data + walk.position() * size, walk.last_stride(), run, to + done * size);
    walk.advance(run);
    done += run;
  }
}

}  // namespace ricci::storage
