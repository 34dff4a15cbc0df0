#pragma once
// Memory that is used again: fresh memory from the system costs a page fault and a zeroing for every page, as much time
// as moving the data that is then put there.
#include <mutex>
#include <optional>
#include <vector>

#include "util/aligned_buffer.hpp"

namespace ricci {

/// Keeps up to 256 MiB of buffers that were given back, or what a Share has room for. May be used from several threads.
class BufferPool {
 public:
  /// Contents are anything. Counted by the meter until it is given back or freed.
  AlignedBuffer take(std::int64_t bytes);
  void give(AlignedBuffer buffer);
  /// One that was given back and has this size, or up to half as much more where a Share has room for that; counted by
  /// nobody. Contents are anything.
  std::optional<AlignedBuffer> take_spare(std::int64_t bytes);
  /// So many bytes are about to be taken elsewhere: kept buffers of as many are freed, so that the process does not
  /// grow for the sake of those. Within a Share that has room for both, none are.
  void release(std::int64_t bytes);

  /// What has been taken, and whatever else is counted by it.
  MemoryMeter& meter() { return meter_; }

  /// While it lives, what is counted anew and what is kept take no more bytes together than there is room, as long as
  /// what is counted anew does not by itself: kept buffers are freed first.
  class Room {
   public:
    Room(BufferPool& pool, std::int64_t bytes);
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    ~Room();

   private:
    BufferPool& pool_;
    std::optional<std::int64_t> before_;
  };

  /// While it lives, what is kept may fill up what others, who have a meter of their own, and what is taken leave of so
  /// many bytes.
  class Share {
   public:
    Share(BufferPool& pool, const MemoryMeter& others, std::int64_t bytes);
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share();

   private:
    BufferPool& pool_;
  };

 private:
  static constexpr std::int64_t most = std::int64_t{256} << 20;
  /// Frees the oldest until there is room for so many bytes.
  void make_room(std::int64_t bytes);
  /// How much may be kept where so many bytes come on top of all that is taken.
  std::int64_t most_kept(std::int64_t bytes) const;
  void keep_at_most(std::int64_t bytes);

  std::mutex mutex_;
  MemoryMeter meter_;
  std::vector<AlignedBuffer> spare_;
  std::int64_t held_ = 0;
  std::optional<std::int64_t> room_;     // for what is kept and for all that the meter counts
  const MemoryMeter* others_ = nullptr;  // of a share, which is
  std::int64_t share_ = 0;               // for those, what is kept and what the meter counts
};

/// Goes back to its pool in the end.
class PooledBuffer {
 public:
  PooledBuffer(BufferPool& pool, std::int64_t bytes) : PooledBuffer(&pool, bytes) {}
  /// Without a pool, it comes from the system and goes back there.
  PooledBuffer(BufferPool* pool, std::int64_t bytes)
      : pool_(pool), buffer_(pool ? pool->take(bytes) : AlignedBuffer(bytes)) {}
  PooledBuffer(PooledBuffer&&) = default;
  PooledBuffer& operator=(PooledBuffer&&) = delete;
  ~PooledBuffer() {
    if (pool_ && buffer_.data()) pool_->give(std::move(buffer_));
  }
  std::byte* data() const { return buffer_.data(); }
  template <class T>
  T* as() const {
    return buffer_.as<T>();
  }

 private:
  BufferPool* pool_;
  AlignedBuffer buffer_;
};

}  // namespace ricci
