#pragma once
// What the system tells of itself, and how fast it copies memory.
#include <cstdint>
#include <memory>
#include <string>

namespace cli {

/// The processor's name as the system gives it.
std::string cpu_name();
std::int64_t memory_bytes();
/// Processors that this process may use.
int processor_count();

/// Copies one block of memory to another, again and again.
class MemoryCopy {
 public:
  explicit MemoryCopy(std::size_t bytes);
  /// Bytes read and written a second in one run of memcpy, shared among threads.
  double rate(int threads);

 private:
  std::size_t bytes_;
  std::unique_ptr<char[]> from_, to_;
};

}  // namespace cli
