#pragma once
// The stored elements of a packed tensor that lie in a box, in the order in which the whole tensor is stored.
#include <cstdint>
#include <functional>
#include <vector>

#include "layout/box.hpp"
#include "symmetry/shape.hpp"

namespace ricci::layout {

/// Elements that lie one after the other: `count` from the position `first` of the packed tensor on. `index` is that of
/// the first of them; the others follow along `mode`.
struct StoredRun {
  std::int64_t first = 0, count = 0;
  const std::vector<std::int64_t>& index;
  int mode = 0;  // -1 of a scalar
};

/// Modes of a symmetry group are cut into the same tiles: bounds of two of them are equal, or one lies behind the
/// other, and they ascend.
class PackedBox {
 public:
  PackedBox(const symmetry::Shape& shape, Box box);

  /// In order, those of the box's elements number part.first to part.last - 1. Walks through the others as well, a run
  /// at a time.
  void for_each_run(const Part& part, const std::function<void(const StoredRun&)>& f) const;

 private:
  using Index = std::vector<std::int64_t>;
  bool is_strict(const symmetry::StorageDim& dim) const;
  /// The largest that the index number `k` of a dimension's sorted tuple may be, given those behind it.
  std::int64_t last(const symmetry::StorageDim& dim, std::size_t k, const Index& index) const;
  /// The indices before number `k` become as small as may be; false where the box has no such tuple.
  bool reset(const symmetry::StorageDim& dim, std::size_t k, Index& index) const;
  /// To the next tuple, having left the index number 0 behind; false at the end.
  bool advance(const symmetry::StorageDim& dim, std::size_t k, Index& index) const;
  std::int64_t position(const Index& index) const;

  const symmetry::Shape& shape_;
  Box box_;
};

}  // namespace ricci::layout
