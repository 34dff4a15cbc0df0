#pragma once
// A row-major array cut into boxes that are contiguous and of bounded size, in order.
#include <cstdint>
#include <functional>
#include <vector>

namespace ricci::storage {

struct Slab {
  std::int64_t first = 0;            // linear position of its first element
  std::int64_t count = 0;            // elements
  std::vector<std::int64_t> start;   // one a mode
  std::vector<std::int64_t> extent;  // one a mode
};

/// Calls f with slabs of at most `most` elements (at least one) that together are the whole array. A scalar is one
/// slab; an array with an extent of 0 has none.
void for_each_slab(const std::vector<std::int64_t>& extents, std::int64_t most,
                   const std::function<void(const Slab&)>& f);

}  // namespace ricci::storage
