#pragma once
// A scratch file that is read and written in large blocks, past the system's cache where that is possible: what is
// larger than memory would only push everything else out of it.
#include <atomic>
#include <cstdint>
#include <string>

#include "storage/file.hpp"

namespace ricci::storage {

class BlockFile {
 public:
  /// Direct transfers need offsets, sizes and addresses that are multiples of this.
  static constexpr std::int64_t alignment = 4096;
  static constexpr std::int64_t align_up(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

  /// A new file of this length, with room on the disk where the file system can promise that: a disk that is too full
  /// says so here. InputError where it cannot be made (or is there already), ResourceError where the disk is full; then
  /// there is no file. With `keep` it stays when this object goes.
  BlockFile(const std::string& path, std::int64_t bytes, bool keep = false);
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;
  /// No transfer may be under way.
  ~BlockFile();

  const std::string& path() const { return file_.name(); }
  int buffered() const { return file_.descriptor(); }
  /// A second descriptor, with O_DIRECT; negative where the file system has no such thing.
  int direct() const { return direct_.load(std::memory_order_relaxed); }
  /// The file system has opened the file with O_DIRECT and refuses such transfers nevertheless.
  void give_up_direct() const { direct_.store(-1, std::memory_order_relaxed); }

 private:
  File file_;
  int opened_;
  bool keep_;
  mutable std::atomic<int> direct_;
};

}  // namespace ricci::storage
