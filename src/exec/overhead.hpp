#pragma once
#include <cstdint>

namespace ricci::exec {

/// What a process takes besides so many bytes of tensors and buffers, as far as it grows with them: gaps in the heap,
/// page tables, and what MPI keeps for its messages. Seen on up to 4 ranks with Open MPI: up to 4 %.
inline std::int64_t system_overhead(std::int64_t bytes) { return bytes / 20; }

}  // namespace ricci::exec
