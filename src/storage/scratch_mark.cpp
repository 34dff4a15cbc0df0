#include "storage/scratch_mark.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ricci/error.hpp>

#include "storage/file.hpp"
#include "storage/process_name.hpp"

namespace ricci::storage {
namespace {

constexpr std::string_view mark_name = "ricci-scratch.lock";
constexpr std::string_view magic = "ricci scratch directory, version 1\n";
constexpr std::string_view kept = "kept\n";

std::string mark_of(const std::string& directory) { return fmt::format("{}/{}", directory, mark_name); }

std::string mark_text(bool keep) {
  return fmt::format("{}host {}\n{}", magic, host_name(), keep ? kept : "removed at the end\n");
}

bool take_lock(int descriptor, int how) {
  int status = 0;
  do status = flock(descriptor, how);
  while (status != 0 && errno == EINTR);
  return status == 0;
}

/// The beginning of a file: enough for any mark.
std::string beginning(int descriptor) {
  std::array<char, 1024> text{};
  const ssize_t got = pread(descriptor, text.data(), text.size(), 0);
  return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : std::string();
}

/// By its name.
bool has_ended(const std::string& directory) {
  return is_of_ended_process(std::filesystem::path(directory).filename().native(), scratch_prefix);
}

bool is_own_directory(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

bool is_empty(const std::string& directory) {
  std::error_code error;
  return std::filesystem::is_empty(directory, error) && !error;
}

bool is_stale(int descriptor, const std::string& directory) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) return false;
  const std::string text = beginning(descriptor);
  if (text.empty()) return has_ended(directory);  // killed before it could write
  return text == mark_text(false);
}

}  // namespace

std::optional<int> lock_new_scratch(const std::string& directory, bool keep) {
  const std::string path = mark_of(directory);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  if (descriptor < 0) throw_system_error(path, "create", errno);
  // Another process may look at it just now and have the lock for a moment: this waits.
  if (!take_lock(descriptor, LOCK_EX)) {
    const int error = errno;
    close(descriptor);
    throw InputError(fmt::format("{}: cannot lock it: {}; choose a scratch directory on a file system with locks", path,
                                 std::generic_category().message(error)));
  }
  const std::string text = mark_text(keep);
  const ssize_t put = pwrite(descriptor, text.data(), text.size(), 0);
  const int error = put < 0 ? errno : ENOSPC;
  struct stat status {};
  if (put == static_cast<ssize_t>(text.size()) && fstat(descriptor, &status) == 0) {
    if (status.st_nlink > 0) return descriptor;
    close(descriptor);
    return std::nullopt;
  }
  close(descriptor);
  throw_system_error(path, "write", error);
}

std::optional<int> lock_stale_scratch(const std::string& directory) {
  if (!is_own_directory(directory)) return std::nullopt;
  const int descriptor = open(mark_of(directory).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) {
    // Killed before it could mark it. Nothing that anybody misses goes with an empty directory.
    if (errno == ENOENT && is_empty(directory) && has_ended(directory)) rmdir(directory.c_str());
    return std::nullopt;
  }
  if (take_lock(descriptor, LOCK_EX | LOCK_NB) && is_stale(descriptor, directory)) return descriptor;
  close(descriptor);
  return std::nullopt;
}

bool remove_scratch(const std::string& directory) {
  std::error_code error;
  bool all = true;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() == mark_name) continue;
    std::error_code failure;
    std::filesystem::remove_all(entry->path(), failure);
    all = all && !failure;
  }
  if (error || !all) return false;
  unlink(mark_of(directory).c_str());
  return rmdir(directory.c_str()) == 0;
}

}  // namespace ricci::storage
