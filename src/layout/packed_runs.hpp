#pragma once
// The packed tensor from its first element to its last: which of them lie one after the other on one rank, and where.
#include <cstdint>

#include "layout/locator.hpp"
#include "symmetry/shape.hpp"

namespace ricci::layout {

/// Consecutive elements of the packed tensor that one rank stores one after the other.
struct PackedRun {
  std::int64_t count;
  int owner;  // of copy 0
};

/// Refers to the distribution of its locator. For one thread.
class PackedRuns {
 public:
  explicit PackedRuns(const Locator& locator);

  /// The longest one that begins with this element.
  PackedRun at(std::int64_t offset);
  /// Where its owner has it.
  std::int64_t place(std::int64_t offset);

 private:
  const Locator& locator_;
  symmetry::UniqueElements unique_;
  int fast_ = -1;            // the last unit of more than one tile; -1: there is none
  std::int64_t behind_ = 1;  // elements of the units behind it, which lie in a tile as in the packed tensor
};

}  // namespace ricci::layout
