#pragma once
// A backend that does what disks and systems do on bad days.
#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "storage/io_backend.hpp"

namespace ricci::storage {

struct Faults {
  unsigned seed = 0;       // 0: no transfer is short or interrupted
  std::int64_t room = -1;  // bytes that can be written before the disk is full; negative: no limit
  int read_error = 0, direct_error = 0;
  bool always_again = false;
};

/// Transfers within submit(); gives the results in any order.
class FaultyBackend final : public IoBackend {
 public:
  explicit FaultyBackend(const Faults& faults) : faults_(faults), random_(faults.seed) {}

  std::string_view name() const override { return "faulty"; }
  void submit(const IoPiece& piece) override {
    const std::lock_guard lock(mutex_);
    results_.push_back({piece.tag, transfer(piece)});
    std::shuffle(results_.begin(), results_.end(), random_);
    has_result_.notify_one();
  }
  IoResult wait_for_one() override {
    std::unique_lock lock(mutex_);
    has_result_.wait(lock, [&] { return !results_.empty(); });
    const IoResult result = results_.front();
    results_.pop_front();
    return result;
  }

 private:
  std::int64_t transfer(const IoPiece& piece) {
    if (faults_.always_again) return -EINTR;
    if (faults_.read_error != 0 && !piece.write) return -faults_.read_error;
    if (faults_.direct_error != 0 && (fcntl(piece.descriptor, F_GETFL) & O_DIRECT) != 0) return -faults_.direct_error;
    std::int64_t bytes = piece.bytes;
    if (faults_.seed != 0) {
      const auto die = random_() % 8;
      if (die == 0) return -EINTR;
      if (die == 1) return -EAGAIN;
      if (die < 5) bytes = 1 + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bytes));
    }
    if (piece.write && faults_.room >= 0) {
      if (faults_.room == 0) return -ENOSPC;
      bytes = std::min(bytes, faults_.room);
      faults_.room -= bytes;
    }
    // Odd sizes may not go past the cache; here any descriptor of the file will do.
    const int flags = fcntl(piece.descriptor, F_GETFL);
    fcntl(piece.descriptor, F_SETFL, flags & ~O_DIRECT);
    const auto size = static_cast<std::size_t>(bytes);
    const ssize_t status = piece.write ? pwrite(piece.descriptor, piece.data, size, piece.offset)
                                       : pread(piece.descriptor, piece.data, size, piece.offset);
    const int error = errno;
    fcntl(piece.descriptor, F_SETFL, flags);
    return status < 0 ? -error : status;
  }

  Faults faults_;
  std::mt19937 random_;
  std::mutex mutex_;
  std::condition_variable has_result_;
  std::deque<IoResult> results_;
};

/// Those that this system has: io_uring is often forbidden in containers.
inline std::vector<IoKind> kinds_of_this_system() {
  std::string reason;
  if (make_io_uring(1, reason)) return {IoKind::io_uring, IoKind::threads};
  return {IoKind::threads};
}

inline std::vector<std::byte> random_bytes(std::int64_t count, std::mt19937& random) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  std::uint64_t state = random();
  for (auto& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::byte>(state >> 56);
  }
  return bytes;
}

}  // namespace ricci::storage
