#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <unistd.h>

#include "storage/io_backend.hpp"

namespace ricci::storage {
namespace {

IoResult transfer(const IoPiece& piece) {
  const auto bytes = static_cast<std::size_t>(piece.bytes);
  const ssize_t status = piece.write ? pwrite(piece.descriptor, piece.data, bytes, piece.offset)
                                     : pread(piece.descriptor, piece.data, bytes, piece.offset);
  return {piece.tag, status < 0 ? -static_cast<std::int64_t>(errno) : status};
}

class IoThreads final : public IoBackend {
 public:
  explicit IoThreads(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }

  std::string_view name() const override { return "threads"; }

  void submit(const IoPiece& piece) override {
    {
      const std::lock_guard lock(mutex_);
      pieces_.push_back(piece);
    }
    has_piece_.notify_one();
  }

  IoResult wait_for_one() override {
    std::unique_lock lock(mutex_);
    has_result_.wait(lock, [&] { return !results_.empty(); });
    const IoResult result = results_.front();
    results_.pop_front();
    return result;
  }

 private:
  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (has_piece_.wait(lock, stop, [&] { return !pieces_.empty(); })) {
      const IoPiece piece = pieces_.front();
      pieces_.pop_front();
      lock.unlock();
      const IoResult result = transfer(piece);
      lock.lock();
      results_.push_back(result);
      has_result_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any has_piece_;
  std::condition_variable has_result_;
  std::deque<IoPiece> pieces_;
  std::deque<IoResult> results_;
  std::vector<std::jthread> threads_;  // last: they are stopped before what they use goes away
};

}  // namespace

std::unique_ptr<IoBackend> make_io_threads(int in_flight) {
  constexpr int most = 4;  // they wait for the disk nearly always; more would take time from the kernels
  return std::make_unique<IoThreads>(std::clamp(in_flight, 1, most));
}

}  // namespace ricci::storage
