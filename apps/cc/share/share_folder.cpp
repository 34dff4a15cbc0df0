#include "share/share_folder.hpp"

#include <cstdlib>
#include <system_error>

namespace cc {

std::filesystem::path share_folder(const std::string& name) {
  namespace fs = std::filesystem;
  if (const char* share = std::getenv("RICCI_SHARE")) return fs::path(share) / name;
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path installed = (program.parent_path() / RICCI_CC_SHARE_FROM_BIN / name).lexically_normal();
  if (!program.empty() && fs::is_directory(installed, none)) return installed;
  return fs::path(RICCI_CC_SHARE_SOURCE) / name;
}

}  // namespace cc
