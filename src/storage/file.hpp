#pragma once
// A file that says in its errors what it is called and what the system held against it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ricci::storage {

/// `PATH: cannot read it: No such file or directory`. ResourceError where the disk or a quota is full, else InputError.
[[noreturn]] void throw_system_error(std::string_view path, std::string_view doing, int error_number);

/// An open regular file; closed when destroyed.
class File {
 public:
  static File open_for_reading(const std::string& path);
  /// Creates it or empties it. Errors call it by `name`, the one that the user knows.
  static File create(const std::string& path, const std::string& name);
  /// One that is there already; keeps what it holds.
  static File open_for_writing(const std::string& path, const std::string& name);
  /// A new one, for reading and writing, that nobody else may read.
  static File create_private(const std::string& path);

  File(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File& operator=(File&&) = delete;
  ~File();

  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }
  std::int64_t size() const;

  /// InputError where the file ends before `bytes` are read.
  void read_at(std::int64_t offset, void* data, std::size_t bytes) const;
  /// Makes it this long, or longer, with room on the disk where the file system can promise that: then a disk that is
  /// too full says so before anything is written.
  void reserve(std::int64_t bytes) const;
  void write_at(std::int64_t offset, const void* data, std::size_t bytes) const;
  /// Waits until the data are on the disk: some file systems report a full disk only then.
  void sync() const;

 private:
  File(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}

  std::string name_;
  int descriptor_ = -1;
};

/// What temporary names of `name` begin with; process_name() follows.
std::string temporary_prefix(const std::string& name);

/// The name under which a file is written until it is complete; takes the place of `path` in commit(), and is removed
/// if that is not reached.
class PendingPath {
 public:
  /// Removes what processes of this host that were killed have left of such names.
  explicit PendingPath(std::string path);
  PendingPath(const PendingPath&) = delete;
  PendingPath& operator=(const PendingPath&) = delete;
  ~PendingPath();

  const std::string& temporary() const { return temporary_; }
  void commit();

 private:
  std::string path_;
  std::string temporary_;
  bool committed_ = false;
};

}  // namespace ricci::storage
