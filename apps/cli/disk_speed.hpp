#pragma once
// How fast a disk is, for transfers of the size that disk arrays make.
#include <string>

namespace cli {

struct DiskSpeed {
  double read_bandwidth = 0, write_bandwidth = 0;  // bytes a second
  double latency = 0;                              // seconds of a short read
};

/// The directory whose disk to measure: `given` unless that is empty, else $TMPDIR, else the current one.
std::string scratch_place(const std::string& given);

/// With a file of up to 1 GiB without a name, which the system removes however this ends; within about five seconds;
/// past the system's cache where the file system allows that. InputError where there can be no such file, ResourceError
/// where the disk is full or fails.
DiskSpeed speed_of_disk(const std::string& directory);

}  // namespace cli
