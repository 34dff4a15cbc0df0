#include "storage/file_system.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include "storage/file.hpp"
#include "storage/process_name.hpp"

namespace ricci::storage {

namespace {

/// Types of file systems that several hosts share, as statfs(2) numbers them: NFS, Lustre, GPFS, CephFS, BeeGFS.
constexpr std::array<std::uint32_t, 5> shared_types = {0x6969, 0x0BD00BD0, 0x47504653, 0x00C36400, 0x19830326};

}  // namespace

FileSystem file_system_of(const std::string& directory) {
  struct statfs system {};
  struct statvfs space {};
  struct stat status {};
  if (statfs(directory.c_str(), &system) != 0 || statvfs(directory.c_str(), &space) != 0 ||
      stat(directory.c_str(), &status) != 0)
    throw_system_error(directory, "measure the free space of", errno);
  const auto type = static_cast<std::uint32_t>(system.f_type);
  const bool is_shared = std::find(shared_types.begin(), shared_types.end(), type) != shared_types.end();
  return {is_shared ? fmt::format("{:x}:{:x}", type, space.f_fsid) : fmt::format("{}:{}", host_name(), status.st_dev),
          static_cast<std::int64_t>(space.f_bavail) * static_cast<std::int64_t>(space.f_frsize)};
}

}  // namespace ricci::storage
