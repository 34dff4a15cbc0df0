#pragma once
// Uninitialised memory for elements, aligned for vectors and cache lines.
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ricci {

/// Throws ResourceError with the number of bytes where memory does not suffice.
void* allocate_aligned(std::int64_t bytes);
/// The same, set to zero.
void* allocate_zeroed(std::int64_t bytes);
void free_aligned(void* pointer) noexcept;

/// Asks the system for huge pages behind memory that nobody has touched yet: faults are then few.
void advise_huge_pages(void* data, std::int64_t bytes);

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::int64_t bytes) : data_(allocate_aligned(bytes)), bytes_(bytes), capacity_(bytes) {}
  /// Zero-filled; large ones by the operating system, page by page as they are first touched.
  static AlignedBuffer zeroed(std::int64_t bytes);
  std::byte* data() const { return static_cast<std::byte*>(data_.get()); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_.get());
  }
  std::int64_t bytes() const { return bytes_; }
  std::int64_t capacity() const { return capacity_; }
  /// Up to the capacity.
  void resize(std::int64_t bytes) { bytes_ = bytes; }

 private:
  AlignedBuffer(void* pointer, std::int64_t bytes) : data_(pointer), bytes_(bytes), capacity_(bytes) {}
  struct Free {
    void operator()(void* pointer) const noexcept { free_aligned(pointer); }
  };
  std::unique_ptr<void, Free> data_;
  std::int64_t bytes_ = 0, capacity_ = 0;
};

}  // namespace ricci
