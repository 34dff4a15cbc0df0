#pragma once
// What a process takes besides what is counted: measured on 1 to 8 ranks with Open MPI, as the greatest resident set
// beyond that of a process that has run a tiny statement. From run to run it varies by 0.5 MB.
#include <algorithm>
#include <cstdint>

namespace ricci::exec {

/// Beside so many bytes of tensors and buffers, as far as it grows with them: gaps in the heap, parts of files that are
/// read or written, and what MPI keeps for its messages. Not seen below 16 MiB.
inline std::int64_t system_overhead(std::int64_t bytes) {
  constexpr std::int64_t none = std::int64_t{16} << 20;
  return std::max<std::int64_t>(0, bytes - none) / 24;
}

/// Beside tables of so many bytes: making them leaves pages of the heap of which they hold a small part only.
inline std::int64_t table_overhead(std::int64_t bytes) {
  constexpr std::int64_t none = std::int64_t{48} << 10;
  return std::max<std::int64_t>(0, bytes - none) * 3;
}

/// For a plan, whatever its tensors: code that runs for the first time, pages of the heap that planning has left partly
/// used, and on several ranks what MPI keeps for each connection. What that comes to varies: up to four ranks count
/// three eighths of a MiB for that, and up to half a MiB where that is much of the process.
inline std::int64_t process_overhead(std::int64_t bytes, int ranks) {
  if (ranks == 1) return std::int64_t{832} << 10;
  const std::int64_t connections = ranks <= 4 ? 1664 + 128 * ranks : 1600;
  const std::int64_t varies = ranks <= 4 ? 384 : 0;
  return (connections << 10) + std::max<std::int64_t>(varies << 10, (std::int64_t{512} << 10) - bytes / 24);
}

/// How many bytes of tensors and buffers there may be, so that with what comes on top a process takes no more than
/// this; less than 0 where there is not even room for that.
inline std::int64_t without_overhead(std::int64_t limit, int ranks) {
  const std::int64_t rest = limit - process_overhead(limit - process_overhead(limit, ranks), ranks);
  return rest - system_overhead(rest);
}

}  // namespace ricci::exec
