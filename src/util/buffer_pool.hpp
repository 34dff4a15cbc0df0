#pragma once
// Memory that is used again: fresh memory from the system costs a page fault and a zeroing for every page, as much time
// as moving the data that is then put there.
#include <mutex>
#include <vector>

#include "util/aligned_buffer.hpp"

namespace ricci {

/// Keeps up to 256 MiB of buffers that were given back. May be used from several threads.
class BufferPool {
 public:
  /// Contents are anything.
  AlignedBuffer take(std::int64_t bytes);
  void give(AlignedBuffer buffer);

 private:
  static constexpr std::int64_t most = std::int64_t{256} << 20;
  std::mutex mutex_;
  std::vector<AlignedBuffer> spare_;
  std::int64_t held_ = 0;
};

/// Goes back to its pool in the end.
class PooledBuffer {
 public:
  PooledBuffer(BufferPool& pool, std::int64_t bytes) : pool_(&pool), buffer_(pool.take(bytes)) {}
  PooledBuffer(PooledBuffer&&) = default;
  PooledBuffer& operator=(PooledBuffer&&) = delete;
  ~PooledBuffer() {
    if (buffer_.data()) pool_->give(std::move(buffer_));
  }
  std::byte* data() const { return buffer_.data(); }

 private:
  BufferPool* pool_;
  AlignedBuffer buffer_;
};

}  // namespace ricci
