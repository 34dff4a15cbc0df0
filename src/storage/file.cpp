#include "storage/file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ricci/error.hpp>

#include "storage/process_name.hpp"

namespace ricci::storage {

void throw_system_error(std::string_view path, std::string_view doing, int error_number) {
  const auto message = fmt::format("{}: cannot {} it: {}", path, doing, std::generic_category().message(error_number));
  if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG) throw ResourceError(message);
  throw InputError(message);
}

File File::open_for_reading(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) throw_system_error(path, "open", errno);
  File file(path, descriptor);
  struct stat status {};
  if (fstat(descriptor, &status) != 0) throw_system_error(path, "read", errno);
  if (S_ISDIR(status.st_mode)) throw_system_error(path, "read", EISDIR);
  if (!S_ISREG(status.st_mode)) throw InputError(path + ": cannot read it: not a regular file");
  return file;
}

File File::create(const std::string& path, const std::string& name) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_system_error(name, "create", errno);
  return File(name, descriptor);
}

File File::open_for_writing(const std::string& path, const std::string& name) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw_system_error(name, "write", errno);
  return File(name, descriptor);
}

File File::create_private(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) throw_system_error(path, "create", errno);
  return File(path, descriptor);
}

File::File(File&& other) noexcept : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File::~File() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::int64_t File::size() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) throw_system_error(name_, "read", errno);
  return status.st_size;
}

void File::read_at(std::int64_t offset, void* data, std::size_t bytes) const {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = pread(descriptor_, to, bytes, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system_error(name_, "read", errno);
    if (got == 0) {
      throw InputError(fmt::format("{}: the file ends at byte {}, {} bytes too early", name_, offset, bytes));
    }
    to += got;
    offset += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

void File::reserve(std::int64_t bytes) const {
  if (bytes <= 0) return;
  int status = 0;
  do status = fallocate(descriptor_, 0, 0, bytes);
  while (status != 0 && errno == EINTR);
  if (status != 0 && (errno == EOPNOTSUPP || errno == ENOSYS)) {
    status = bytes > size() ? ftruncate(descriptor_, bytes) : 0;
  }
  if (status != 0) throw_system_error(name_, "write", errno);
}

void File::write_at(std::int64_t offset, const void* data, std::size_t bytes) const {
  const auto* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t put = pwrite(descriptor_, from, bytes, offset);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw_system_error(name_, "write", errno);
    from += put;
    offset += put;
    bytes -= static_cast<std::size_t>(put);
  }
}

void File::sync() const {
  if (fsync(descriptor_) != 0) throw_system_error(name_, "write", errno);
}

namespace {

void remove_stale_parts(const std::filesystem::path& path) {
  const std::string before = temporary_prefix(path.filename());
  std::error_code error;
  const auto directory = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    struct stat status {};
    if (is_of_ended_process(entry->path().filename().native(), before) && lstat(entry->path().c_str(), &status) == 0 &&
        S_ISREG(status.st_mode) && status.st_uid == geteuid()) {
      unlink(entry->path().c_str());
    }
  }
}

}  // namespace

std::string temporary_prefix(const std::string& name) { return name + ".part-"; }

PendingPath::PendingPath(std::string path)
    : path_(std::move(path)), temporary_(temporary_prefix(path_) + process_name()) {
  remove_stale_parts(path_);
}

PendingPath::~PendingPath() {
  if (!committed_) unlink(temporary_.c_str());
}

void PendingPath::commit() {
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) throw_system_error(path_, "write", errno);
  committed_ = true;
}

}  // namespace ricci::storage
