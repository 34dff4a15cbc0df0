#include "storage/scratch.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ricci/error.hpp>

#include "storage/file.hpp"
#include "storage/process_name.hpp"
#include "storage/scratch_mark.hpp"

namespace ricci::storage {
namespace {

[[noreturn]] void throw_unusable(const std::string& base, std::string_view why, int error_number) {
  const auto message = fmt::format("scratch directory {}: {}; choose another one", base, why);
  if (error_number == ENOSPC || error_number == EDQUOT) throw ResourceError(message);
  throw InputError(message);
}

void require_directory(const std::string& base) {
  struct stat status {};
  if (stat(base.c_str(), &status) != 0) {
    const int error = errno;
    throw_unusable(base, error == ENOENT ? "is not there" : std::generic_category().message(error), error);
  }
  if (!S_ISDIR(status.st_mode)) throw_unusable(base, "is no directory", ENOTDIR);
}

struct NewDirectory {
  std::string path;
  int lock;
};

/// Another process that finds it before it is marked may take it for one that a crashed process has left: then the
/// next try has another name.
NewDirectory make_directory(const std::string& base, bool keep) {
  const std::string before = fmt::format("{}/{}{}-", base, scratch_prefix, process_name());
  for (int tries = 0; tries < 100; ++tries) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::string path =
        fmt::format("{}{}", before, std::chrono::duration_cast<std::chrono::microseconds>(now).count());
    if (mkdir(path.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      const int error = errno;
      throw_unusable(base, fmt::format("cannot be written to: {}", std::generic_category().message(error)), error);
    }
    try {
      if (const auto lock = lock_new_scratch(path, keep)) return {path, *lock};
    } catch (...) {
      remove_scratch(path);
      throw;
    }
  }
  throw_unusable(base, "does not let a directory be made in it", EEXIST);
}

}  // namespace

std::string scratch_base(const std::string& given) {
  if (!given.empty()) return given;
  const char* const temporary = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  return temporary != nullptr && *temporary != '\0' ? temporary : ".";
}

std::vector<std::string> remove_stale_scratch(const std::string& base) {
  std::vector<std::string> removed;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(base, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (!name.starts_with(scratch_prefix)) continue;
    const std::string path = entry->path();
    const auto lock = lock_stale_scratch(path);
    if (!lock) continue;
    if (remove_scratch(path)) removed.push_back(path);
    close(*lock);
  }
  return removed;
}

ScratchDirectory::ScratchDirectory(const std::string& base, bool keep) : base_(base), keep_(keep), process_(getpid()) {
  require_directory(base_);
  removed_ = remove_stale_scratch(base_);
  const NewDirectory made = make_directory(base_, keep);
  path_ = made.path;
  lock_ = made.lock;
}

ScratchDirectory::~ScratchDirectory() {
  if (process_ == getpid() && !keep_) remove_scratch(path_);
  close(lock_);
}

}  // namespace ricci::storage
