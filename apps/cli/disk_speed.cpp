#include "disk_speed.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <ricci/error.hpp>

#include "timing.hpp"

namespace cli {
namespace {

constexpr double patience = 2;  // seconds of writing, and of reading
constexpr std::int64_t page = 4096;

[[noreturn]] void throw_failure(const std::string& directory, std::string_view doing, int error_number) {
  const auto message =
      fmt::format("{}: cannot {} a file there: {}", directory, doing, std::generic_category().message(error_number));
  if (error_number == ENOSPC || error_number == EDQUOT || error_number == EIO) throw ricci::ResourceError(message);
  throw ricci::InputError(message);
}

/// A file without a name.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::string& directory) : directory_(directory) {
    descriptor_ = open_in(directory, O_DIRECT);
    direct_ = descriptor_ >= 0;
    if (!direct_) descriptor_ = open_in(directory, 0);
    if (descriptor_ < 0) throw_failure(directory, "make", errno);
  }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile() { close(descriptor_); }

  /// Data that the system still has in memory go to the disk, and are read from there.
  void leave_cache() const {
    if (direct_) return;
    if (fsync(descriptor_) != 0) throw_failure(directory_, "write", errno);
    posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
  }

  void write(const char* data, std::int64_t bytes, std::int64_t offset) const {
    for (std::int64_t done = 0; done < bytes;)
      done += checked(pwrite(descriptor_, data + done, bytes - done, offset + done), "write");
  }
  void read(char* data, std::int64_t bytes, std::int64_t offset) const {
    for (std::int64_t done = 0; done < bytes;)
      done += checked(pread(descriptor_, data + done, bytes - done, offset + done), "read");
  }

 private:
  /// Some file systems have no O_TMPFILE: a name that is taken away at once does as well.
  static int open_in(const std::string& directory, int how) {
    const int descriptor = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | how, 0600);
    if (descriptor >= 0 || errno != EOPNOTSUPP) return descriptor;
    std::string name = directory + "/ricci-machine-" + std::string(6, 'X');  // six for mkostemp to fill in
    const int named = mkostemp(name.data(), O_CLOEXEC | how);
    const int error = errno;
    if (named >= 0) unlink(name.c_str());
    errno = error;
    return named;
  }

  std::int64_t checked(ssize_t status, std::string_view doing) const {
    if (status > 0) return status;
    if (status < 0 && errno == EINTR) return 0;
    throw_failure(directory_, doing, status < 0 ? errno : EIO);
  }

  std::string directory_;
  int descriptor_ = -1;
  bool direct_ = false;
};

struct FreeMemory {
  void operator()(char* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<char, FreeMemory>;

/// Full of numbers that no disk can compress.
Buffer make_buffer(std::int64_t bytes, std::uint64_t seed) {
  Buffer buffer(static_cast<char*>(std::aligned_alloc(page, bytes)));
  if (!buffer) throw ricci::ResourceError("no memory to measure the disk with");
  std::uint64_t state = seed;
  for (std::int64_t i = 0; i < bytes; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    buffer.get()[i] = static_cast<char>(state >> 56);
  }
  return buffer;
}

/// Calls run(buffer, number) for block after block on several threads, until `count` are done or time is up; how many
/// were done.
std::int64_t for_blocks(std::vector<Buffer>& buffers, std::int64_t count,
                        const std::function<void(char*, std::int64_t)>& run) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
  std::atomic<std::int64_t> next = 0, done = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  {
    std::vector<std::jthread> team;
    for (Buffer& buffer : buffers) {
      team.emplace_back([&] {
        try {
          while (std::chrono::steady_clock::now() < end) {
            const std::int64_t number = next++;
            if (number >= count) return;
            run(buffer.get(), number);
            ++done;
          }
        } catch (...) {
          const std::lock_guard lock(mutex);
          failure = std::current_exception();
        }
      });
    }
  }
  if (failure) std::rethrow_exception(failure);
  return done;
}

/// The median of short reads here and there.
double latency_of(const UnnamedFile& file, char* buffer, std::int64_t block, std::int64_t blocks) {
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < 101; ++i) {
    const std::int64_t offset = i * 7919 % blocks * block + i * 31 % (block / page) * page;
    seconds.push_back(seconds_of([&] { file.read(buffer, page, offset); }));
  }
  std::nth_element(seconds.begin(), seconds.begin() + 50, seconds.end());
  return std::max(seconds[50], 1e-9);
}

}  // namespace

std::string scratch_place(const std::string& given) {
  if (!given.empty()) return given;
  const char* const temporary = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): nothing here sets variables
  return temporary != nullptr && *temporary != '\0' ? temporary : ".";
}

DiskSpeed speed_of_disk(const std::string& directory, const DiskPattern& pattern) {
  const std::int64_t block = pattern.block;
  const UnnamedFile file(directory);
  std::vector<Buffer> buffers;
  for (int i = 0; i < pattern.at_once; ++i) buffers.push_back(make_buffer(block, i));
  std::int64_t written = 0, read = 0;
  const double writing = seconds_of([&] {
    written =
        for_blocks(buffers, pattern.blocks, [&](char* data, std::int64_t i) { file.write(data, block, i * block); });
    file.leave_cache();
  });
  const double reading = seconds_of([&] {
    read = for_blocks(buffers, written, [&](char* data, std::int64_t i) { file.read(data, block, i * block); });
  });
  file.leave_cache();
  return {static_cast<double>(read * block) / reading, static_cast<double>(written * block) / writing,
          latency_of(file, buffers.front().get(), block, written)};
}

}  // namespace cli
