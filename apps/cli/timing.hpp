#pragma once
// Wall-clock time of what is run a few times.
#include <algorithm>
#include <chrono>
#include <limits>

namespace cli {

template <class F>
double seconds_of(F&& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The best of several runs, after one that warms up caches and plans.
template <class F>
double best_seconds(int repeat, F&& run) {
  run();
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeat; ++i) best = std::min(best, seconds_of(run));
  return best;
}

}  // namespace cli
