#include "hardware.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <omp.h>
#include <unistd.h>

#include "timing.hpp"

namespace cli {

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::int64_t memory_bytes() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

int processor_count() { return omp_get_num_procs(); }

MemoryCopy::MemoryCopy(std::size_t bytes)
    : bytes_(bytes),
      from_(std::make_unique_for_overwrite<char[]>(bytes)),
      to_(std::make_unique_for_overwrite<char[]>(bytes)) {
  std::memset(from_.get(), 1, bytes);  // so that every page is there
  std::memset(to_.get(), 2, bytes);
}

double MemoryCopy::rate(int threads) {
  const double seconds = seconds_of([&] {
#pragma omp parallel num_threads(threads)
    {
      const std::size_t part = bytes_ / static_cast<std::size_t>(omp_get_num_threads()) + 1;
      const std::size_t start = std::min(bytes_, part * static_cast<std::size_t>(omp_get_thread_num()));
      std::memcpy(to_.get() + start, from_.get() + start, std::min(part, bytes_ - start));
    }
  });
  return 2.0 * static_cast<double>(bytes_) / seconds;
}

}  // namespace cli
