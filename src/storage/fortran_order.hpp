#pragma once
// Column-major data in a file, read in row-major order.
#include "storage/array_file.hpp"
#include "storage/file.hpp"

namespace ricci::storage {

/// The file is mapped, not loaded: the system keeps as much of it in memory as there is room for. The caller has
/// checked that the file holds all elements, of at least one mode.
class FortranOrder {
 public:
  FortranOrder(const File& file, std::int64_t offset, const ArrayHeader& header);
  FortranOrder(const FortranOrder&) = delete;
  FortranOrder& operator=(const FortranOrder&) = delete;
  ~FortranOrder();

  /// `count` elements from a row-major position on, in row-major order.
  void read(std::int64_t first, std::int64_t count, void* elements) const;

 private:
  Extents extents_;
  std::size_t size_;  // of an element
  std::int64_t offset_;
  std::size_t bytes_ = 0;
  void* address_ = nullptr;
};

}  // namespace ricci::storage
