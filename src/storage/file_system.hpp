#pragma once
// The file system that a directory lies on: how much room it has, and who shares it.
#include <cstdint>
#include <string>

namespace ricci::storage {

struct FileSystem {
  /// Equal where processes, of this host or of others, see the same one. Local disks of two hosts never do.
  std::string name;
  std::int64_t free_bytes = 0;  // for a process without privileges
};

/// InputError where there is no such directory.
FileSystem file_system_of(const std::string& directory);

}  // namespace ricci::storage
