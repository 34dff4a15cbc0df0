#pragma once
#include <algorithm>
#include <cstdint>

namespace ricci::exec {

/// What a process takes besides so many bytes of tensors and buffers, as far as it grows with them: gaps in the heap,
/// and what MPI keeps for its messages. Seen on up to 8 ranks with Open MPI: up to 4 %, and about 1 MB more, of which
/// very small processes count a part only, or the limit would be no use to them.
inline std::int64_t system_overhead(std::int64_t bytes) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  return bytes / 20 + std::min(bytes / 32, most);
}

/// How many bytes of tensors and buffers there may be, so that with what comes on top a process takes no more than
/// this, about.
inline std::int64_t without_overhead(std::int64_t bytes) { return bytes - system_overhead(bytes); }

}  // namespace ricci::exec
