#include "kernels/caches.hpp"

#include <unistd.h>

namespace ricci::kernels {

namespace {

std::int64_t ask_for_l2_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  return std::int64_t{1} << 20;
}

}  // namespace

std::int64_t l2_bytes() {
  static const std::int64_t bytes = ask_for_l2_bytes();
  return bytes;
}

}  // namespace ricci::kernels
