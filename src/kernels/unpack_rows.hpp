#pragma once
// Unpacking a symmetric tensor row by row: along the last mode, with all other indices fixed, the place of an element
// in its packed group changes by one term of the rank (symmetry/packed.hpp) between the other indices of the group, so
// that a row is a few runs and looked-up places, and no index is sorted for an element.
#include <cstdint>
#include <vector>

#include "symmetry/shape.hpp"

namespace ricci::kernels {

class UnpackRows {
 public:
  /// The shape must outlive it, and have an order of at least 1.
  explicit UnpackRows(const symmetry::Shape& shape);

  std::int64_t row_size() const { return extent_; }
  /// Rows first, …, first + count - 1 of the unpacked row-major tensor. Several threads may run at once.
  template <class T>
  void run(const T* packed, std::int64_t first, std::int64_t count, T* out) const;

 private:
  class Row;
  template <class T>
  void unpack(const T* packed, const Row& row, T* out) const;

  const symmetry::Shape* shape_;
  std::int64_t extent_;
  std::vector<std::vector<std::int64_t>> term_;  // [position][index]: of the group of the last mode, times its stride
};

}  // namespace ricci::kernels
