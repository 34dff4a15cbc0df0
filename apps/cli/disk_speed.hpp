#pragma once
// How fast a disk is, for transfers of the size that disk arrays make.
#include <cstdint>
#include <string>

namespace cli {

struct DiskSpeed {
  double read_bandwidth = 0, write_bandwidth = 0;  // bytes a second
  double latency = 0;                              // seconds of a short read
};

/// The directory whose disk to measure: `given` unless that is empty, else $TMPDIR, else the current one.
std::string scratch_place(const std::string& given);

/// What is transferred: by default as disk arrays do it, several blocks of some MB under way.
struct DiskPattern {
  std::int64_t block = std::int64_t{4} << 20;  // bytes, a multiple of 4096
  std::int64_t blocks = 256;                   // at most
  int at_once = 4;
};

/// With a file of the pattern's size (1 GiB) without a name, which the system removes however this ends; within about
/// five seconds; past the system's cache where the file system allows that. InputError where there can be no such file,
/// ResourceError where the disk is full or fails.
DiskSpeed speed_of_disk(const std::string& directory, const DiskPattern& pattern = {});

}  // namespace cli
