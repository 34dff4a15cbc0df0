#pragma once
// A part of an array: lo <= index < hi in every mode.
#include <cstdint>
#include <vector>

namespace ricci::layout {

struct Box {
  std::vector<std::int64_t> lo, hi;
  bool operator==(const Box&) const = default;
};

/// What one of several ranks has of so many elements in a row: first <= position < last.
struct Part {
  std::int64_t first = 0, last = 0;
  std::int64_t count() const { return last - first; }
};

/// Parts that differ by one element at most.
inline Part part_of(std::int64_t elements, int ranks, int rank) {
  const auto bound = [&](std::int64_t r) { return elements / ranks * r + elements % ranks * r / ranks; };
  return {bound(rank), bound(rank + 1)};
}

/// The most that any rank has.
inline std::int64_t largest_part(std::int64_t elements, int ranks) { return (elements + ranks - 1) / ranks; }

}  // namespace ricci::layout
