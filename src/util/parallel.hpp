#pragma once
// Threads that may throw.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include <omp.h>

namespace ricci {

/// Calls f(0), …, f(count - 1), each on a thread of its own; the first exception (by number) is thrown again when all
/// have ended.
template <class F>
void run_on_threads(int count, F&& f) {
  if (count == 1) {
    f(0);
    return;
  }
  std::exception_ptr failure;
  int failed = count;
#pragma omp parallel for num_threads(count) schedule(static, 1)
  for (int i = 0; i < count; ++i) {
    try {
      f(i);
    } catch (...) {
#pragma omp critical(ricci_run_on_threads)
      if (i < failed) {
        failed = i;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Calls f(0), …, f(count - 1), each once, on whichever of `threads` threads is free.
template <class F>
void parallel_for(std::int64_t count, int threads, F&& f) {
  std::atomic<std::int64_t> next{0};
  const std::int64_t team = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(count, 1));
  run_on_threads(static_cast<int>(team), [&](int) {
    for (std::int64_t i = next++; i < count; i = next++) f(i);
  });
}

}  // namespace ricci
