#pragma once
// Counts that an int of MPI cannot hold.
#include <algorithm>
#include <cstdint>

namespace ricci::comm {

/// Calls f(at, count) for consecutive pieces of at most `limit`, which together are 0 … total-1.
template <class F>
void for_each_chunk(std::int64_t total, std::int64_t limit, F f) {
  for (std::int64_t at = 0; at < total; at += limit) f(at, static_cast<int>(std::min(limit, total - at)));
}

}  // namespace ricci::comm
