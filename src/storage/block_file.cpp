#include "storage/block_file.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace ricci::storage {

BlockFile::BlockFile(const std::string& path, std::int64_t bytes, bool keep)
    : file_(File::create_private(path)),
      opened_(open(path.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC | O_NOFOLLOW)),
      keep_(keep),
      direct_(opened_) {
  try {
    file_.reserve(bytes);
  } catch (...) {
    if (opened_ >= 0) close(opened_);
    unlink(path.c_str());
    throw;
  }
}

BlockFile::~BlockFile() {
  if (!keep_) unlink(path().c_str());
  if (opened_ >= 0) close(opened_);
}

}  // namespace ricci::storage
