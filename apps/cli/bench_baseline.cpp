#include "bench_baseline.hpp"

#include <algorithm>

#include <cblas.h>

#include "timing.hpp"

namespace cli {
namespace {

constexpr int n = 2048;
constexpr std::size_t copied_bytes = 200'000'000;

}  // namespace

Baseline::Baseline(int threads) : threads_(threads), a_(n * n), b_(n * n), c_(n * n), copy_(copied_bytes) {
  for (std::size_t i = 0; i < a_.size(); ++i) {
    a_[i] = static_cast<double>(i % 19) - 9;
    b_[i] = static_cast<double>(i % 23) - 11;
  }
}

double Baseline::sample(Against what) {
  if (what == Against::nothing) return 0;
  const double now = what == Against::dgemm ? sample_dgemm() : sample_copy();
  double& best = what == Against::dgemm ? dgemm_rate_ : copy_rate_;
  best = std::max(best, now);
  return now;
}

// One thread may well be the fastest: memcpy goes past the cache only where its own part is large.
double Baseline::sample_copy() { return std::max(copy_.rate(1), copy_.rate(threads_)); }

double Baseline::sample_dgemm() {
  const double seconds = seconds_of([&] {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a_.data(), n, b_.data(), n, 0.0, c_.data(), n);
  });
  return 2.0 * n * n * n / seconds;
}

}  // namespace cli
