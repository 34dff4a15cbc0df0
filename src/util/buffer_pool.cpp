#include "util/buffer_pool.hpp"

#include <algorithm>

namespace ricci {

AlignedBuffer BufferPool::take(std::int64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    auto best = spare_.end();
    for (auto it = spare_.begin(); it != spare_.end(); ++it) {
      const bool fits = it->capacity() >= bytes && it->capacity() <= 2 * bytes;
      if (fits && (best == spare_.end() || it->capacity() < best->capacity())) best = it;
    }
    if (best != spare_.end()) {
      AlignedBuffer buffer = std::move(*best);
      spare_.erase(best);
      held_ -= buffer.capacity();
      buffer.resize(bytes);
      return buffer;
    }
  }
  return AlignedBuffer(bytes);
}

void BufferPool::give(AlignedBuffer buffer) {
  if (buffer.capacity() == 0 || buffer.capacity() > most) return;
  const std::lock_guard lock(mutex_);
  held_ += buffer.capacity();
  spare_.push_back(std::move(buffer));
  // The oldest ones go.
  while (held_ > most) {
    held_ -= spare_.front().capacity();
    spare_.erase(spare_.begin());
  }
}

}  // namespace ricci
