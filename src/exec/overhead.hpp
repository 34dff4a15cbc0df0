#pragma once
#include <cstdint>

namespace ricci::exec {

/// What a process takes besides so many bytes of tensors and buffers, as far as it grows with them: gaps in the heap,
/// page tables, and what MPI keeps for its messages. Seen on up to 4 ranks with Open MPI: up to 4 %.
inline std::int64_t system_overhead(std::int64_t bytes) { return bytes / 20; }

/// How many bytes of tensors and buffers there may be, so that with what comes on top a process takes no more than this.
inline std::int64_t without_overhead(std::int64_t bytes) { return bytes / 21 * 20; }

}  // namespace ricci::exec
