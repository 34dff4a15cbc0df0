#pragma once
// A directory for what does not fit in memory: of one process, gone when that ends; after a crash, when the next one
// begins.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ricci::storage {

/// Where scratch directories are made: `given`, unless that is empty; else $TMPDIR, which batch systems set to a disk
/// of the node; else the current directory. Never /tmp by itself: that is often small, or memory.
std::string scratch_base(const std::string& given);

/// BASE/ricci-scratch-HOST-PID-TIME. A file in it marks it as ours, and a lock on that file (flock) says that its
/// process lives: unlike a process number, a lock cannot outlive its owner and be taken for another's.
class ScratchDirectory {
 public:
  /// First removes what crashed processes of this host (and this user) have left in `base`: directories that have the
  /// mark and no lock, and were not to be kept. With `keep` the directory stays when the process ends, however it does.
  /// InputError where `base` is no directory that one can write to, ResourceError where its disk is full.
  explicit ScratchDirectory(const std::string& base, bool keep = false);
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  /// Removes it with all that it holds, unless it is to be kept.
  ~ScratchDirectory();

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  bool kept() const { return keep_; }
  /// What crashed processes had left and was removed at the start, for a message.
  const std::vector<std::string>& removed() const { return removed_; }

 private:
  std::string base_, path_;
  bool keep_;
  int process_;  // a child that is forked has this object, too, but not the directory
  int lock_ = -1;
  std::vector<std::string> removed_;
};

/// What ScratchDirectory does first: the directories that were removed.
std::vector<std::string> remove_stale_scratch(const std::string& base);

}  // namespace ricci::storage
