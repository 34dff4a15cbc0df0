#pragma once
// Bytes that are there now, and the most that there have been.
#include <atomic>
#include <cstdint>

namespace ricci {

/// One for each rank of a world: simulated ranks live in one process. May be used from several threads.
class MemoryMeter {
 public:
  void add(std::int64_t bytes) noexcept {
    const std::int64_t now = live_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::int64_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void remove(std::int64_t bytes) noexcept { live_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::int64_t live() const { return live_.load(std::memory_order_relaxed); }
  /// Since the last restart.
  std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  void restart() { peak_.store(live(), std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> live_{0}, peak_{0};
};

}  // namespace ricci
