#include "util/buffer_pool.hpp"

#include <algorithm>

namespace ricci {

AlignedBuffer BufferPool::take(std::int64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    // One that is larger than it need be takes memory that nobody has counted on.
    const std::int64_t largest = room_ ? bytes + bytes / 64 : 2 * bytes;
    auto best = spare_.end();
    for (auto it = spare_.begin(); it != spare_.end(); ++it) {
      const bool fits = it->capacity() >= bytes && it->capacity() <= largest;
      if (fits && (best == spare_.end() || it->capacity() < best->capacity())) best = it;
    }
    if (best != spare_.end()) {
      AlignedBuffer buffer = std::move(*best);
      spare_.erase(best);
      held_ -= buffer.capacity();
      buffer.resize(bytes);
      buffer.count_by(&meter_);
      return buffer;
    }
    make_room(bytes);
  }
  return AlignedBuffer(bytes, &meter_);
}

std::optional<AlignedBuffer> BufferPool::take_spare(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::int64_t room = others_ ? share_ - others_->live() - meter_.live() : 0;
  const std::int64_t largest = std::max(bytes, std::min(bytes + bytes / 2, room));
  auto best = spare_.end();
  for (auto it = spare_.begin(); it != spare_.end(); ++it) {
    if (it->capacity() < bytes || it->capacity() > largest) continue;
    // Of several the last one given back: caches may know it.
    if (best == spare_.end() || it->capacity() <= best->capacity()) best = it;
  }
  if (best == spare_.end()) return std::nullopt;
  AlignedBuffer buffer = std::move(*best);
  spare_.erase(best);
  held_ -= buffer.capacity();
  buffer.resize(bytes);
  make_room(buffer.capacity());
  return buffer;
}

void BufferPool::give(AlignedBuffer buffer) {
  if (buffer.capacity() == 0) return;
  buffer.count_by(nullptr);
  const std::lock_guard lock(mutex_);
  if (buffer.capacity() > most_kept(0)) return;
  held_ += buffer.capacity();
  spare_.push_back(std::move(buffer));
  make_room(0);
}

void BufferPool::release(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  keep_at_most(others_ ? most_kept(bytes) : held_ - bytes);
}

std::int64_t BufferPool::most_kept(std::int64_t bytes) const {
  const std::int64_t shared = others_ ? share_ - others_->live() - meter_.live() - bytes : most;
  return room_ ? std::min(shared, *room_ - meter_.live() - bytes) : shared;
}

void BufferPool::make_room(std::int64_t bytes) { keep_at_most(most_kept(bytes)); }

void BufferPool::keep_at_most(std::int64_t bytes) {
  std::size_t gone = 0;
  for (; held_ > bytes && gone < spare_.size(); ++gone) held_ -= spare_[gone].capacity();
  spare_.erase(spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(gone));
}

BufferPool::Room::Room(BufferPool& pool, std::int64_t bytes) : pool_(pool) {
  const std::lock_guard lock(pool_.mutex_);
  before_ = std::exchange(pool_.room_, pool_.meter_.live() + bytes);
  pool_.make_room(0);
}

BufferPool::Room::~Room() {
  const std::lock_guard lock(pool_.mutex_);
  pool_.room_ = before_;
}

BufferPool::Share::Share(BufferPool& pool, const MemoryMeter& others, std::int64_t bytes) : pool_(pool) {
  const std::lock_guard lock(pool_.mutex_);
  pool_.others_ = &others;
  pool_.share_ = bytes;
  pool_.make_room(0);
}

BufferPool::Share::~Share() {
  const std::lock_guard lock(pool_.mutex_);
  pool_.others_ = nullptr;
  pool_.make_room(0);
}

}  // namespace ricci
