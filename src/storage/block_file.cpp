#include "storage/block_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ricci/error.hpp>

namespace ricci::storage {

BlockFile::BlockFile(const std::string& path, std::int64_t bytes, bool keep)
    : file_(File::create_private(path)),
      opened_(open(path.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC | O_NOFOLLOW)),
      keep_(keep),
      direct_(opened_) {
  const auto undo = [&] {
    if (opened_ >= 0) close(opened_);
    unlink(path.c_str());
  };
  try {
    file_.reserve(bytes);
  } catch (const ResourceError& error) {
    undo();
    throw ResourceError(
        fmt::format("{} (for {} bytes); make room there, or choose another scratch directory", error.what(), bytes));
  } catch (...) {
    undo();
    throw;
  }
}

BlockFile::~BlockFile() {
  if (!keep_) unlink(path().c_str());
  if (opened_ >= 0) close(opened_);
}

}  // namespace ricci::storage
