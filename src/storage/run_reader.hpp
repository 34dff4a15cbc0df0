#pragma once
// Many runs of a file in few requests.
#include <cstdint>
#include <span>

#include "storage/file.hpp"

namespace ricci::storage {

/// Elements that lie one after the other in a file, by position.
struct FileRun {
  std::int64_t first = 0, count = 0;
  std::int64_t end() const { return first + count; }
};

/// Where elements begin in a file, and their size.
struct ElementsInFile {
  const File& file;
  std::int64_t offset = 0, size = 0;
};

/// The runs ascend; their elements come one after the other. What lies between two that are close is read with them and
/// dropped: a request costs about as much as so many bytes. May be called by several threads at once. InputError where
/// the file cannot be read, or ends too early.
void read_runs(const ElementsInFile& from, std::span<const FileRun> runs, void* elements);

/// The other way; only runs that touch are written in one request, as others may write what lies between.
void write_runs(const ElementsInFile& to, std::span<const FileRun> runs, const void* elements);

}  // namespace ricci::storage
