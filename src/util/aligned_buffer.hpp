#pragma once
// Uninitialised memory for elements, aligned for vectors and cache lines.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "util/memory_meter.hpp"

namespace ricci {

/// Throws ResourceError with the number of bytes where memory does not suffice. Takes a page or two more than that from
/// the system, never a huge page more: what is predicted in bytes is what a process gets.
void* allocate_aligned(std::int64_t bytes);
/// The same, set to zero.
void* allocate_zeroed(std::int64_t bytes);
void free_aligned(void* pointer) noexcept;

/// Asks the system for huge pages behind memory that nobody has touched yet: faults are then few.
void advise_huge_pages(void* data, std::int64_t bytes);

/// Frees, and tells the meter.
struct CountedFree {
  void operator()(void* pointer) noexcept {
    count_by(nullptr, 0);
    free_aligned(pointer);
  }
  void count_by(MemoryMeter* by, std::int64_t bytes) noexcept {
    if (meter) meter->remove(counted);
    meter = by;
    counted = bytes;
    if (meter) meter->add(counted);
  }
  MemoryMeter* meter = nullptr;
  std::int64_t counted = 0;
};

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  /// With a meter, counted there for as long as it lives; the meter must outlive it.
  explicit AlignedBuffer(std::int64_t bytes, MemoryMeter* meter = nullptr)
      : AlignedBuffer(allocate_aligned(bytes), bytes, meter) {}
  /// Zero-filled; large ones by the operating system, page by page as they are first touched.
  static AlignedBuffer zeroed(std::int64_t bytes, MemoryMeter* meter = nullptr);
  std::byte* data() const { return static_cast<std::byte*>(data_.get()); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_.get());
  }
  std::int64_t bytes() const { return bytes_; }
  std::int64_t capacity() const { return capacity_; }
  /// Up to the capacity.
  void resize(std::int64_t bytes) { bytes_ = bytes; }
  /// From now on counted by this meter, with the bytes that it has now; null: by none.
  void count_by(MemoryMeter* meter) {
    if (data_) data_.get_deleter().count_by(meter, bytes_);
  }
  /// The same, with all that it could have.
  void count_capacity_by(MemoryMeter* meter) {
    if (data_) data_.get_deleter().count_by(meter, capacity_);
  }

 private:
  AlignedBuffer(void* pointer, std::int64_t bytes, MemoryMeter* meter)
      : data_(pointer), bytes_(bytes), capacity_(bytes) {
    count_by(meter);
  }
  std::unique_ptr<void, CountedFree> data_;
  std::int64_t bytes_ = 0, capacity_ = 0;
};

}  // namespace ricci
