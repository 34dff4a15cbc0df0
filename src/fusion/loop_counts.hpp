#pragma once
// What a loop program takes: bytes and requests by array, the most memory that is in use at once, operations. All of it
// is exact, edge tiles included, and follows from trip counts alone.
#include <cstdint>
#include <vector>

#include "fusion/loop_program.hpp"

namespace ricci::fusion {

struct ArrayTraffic {
  std::int64_t read_bytes = 0, written_bytes = 0;
  std::int64_t reads = 0, writes = 0;  // requests: one a block
  bool operator==(const ArrayTraffic&) const = default;
};

struct LoopCounts {
  std::vector<ArrayTraffic> arrays;  // by array of the program
  std::int64_t peak_bytes = 0;
  double flops = 0;

  ArrayTraffic total() const;
  bool operator==(const LoopCounts&) const = default;
};

/// Time of the disk: what flows by bandwidth, and a latency for each request.
struct DiskModel {
  double read_bytes_per_second = 1e9, write_bytes_per_second = 1e9;
  double seconds_per_request = 0;
  bool operator==(const DiskModel&) const = default;
};

LoopCounts count(const LoopProgram& program);
double seconds(const LoopCounts& counts, const DiskModel& disk);

/// Buffers that are in memory at the same time, the largest such sets only. A buffer is in memory from its first use to
/// its last one, in the innermost body that has all of its uses. Resident arrays are not named: they always are.
std::vector<std::vector<int>> live_together(const LoopProgram& program);

/// By buffer: the statement after which it is not in memory any more, until it is filled again. None for resident ones,
/// and for those that nothing uses.
std::vector<const Statement*> last_uses(const LoopProgram& program);

/// Of resident arrays, each once.
std::int64_t resident_bytes(const LoopProgram& program);

/// Of a buffer, doubled where it is; `around`: the product of trip counts of the loops around its transfers.
std::int64_t bytes_in_memory(const LoopProgram& program, const Buffer& buffer, std::int64_t around);

/// A statement that moves blocks between disk and memory, and the loops around it.
struct Transfer {
  int buffer = 0;
  bool is_read = false, reads_back = false;
  std::vector<int> around;
};
std::vector<Transfer> transfers(const LoopProgram& program);

}  // namespace ricci::fusion
