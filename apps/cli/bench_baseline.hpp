#pragma once
// What the rows of a benchmark are compared with, measured in the same run.
#include <vector>

#include "hardware.hpp"

namespace cli {

enum class Against { dgemm, copy, nothing };

/// The best rates seen so far of OpenBLAS's dgemm at n = 2048 and of memcpy of 200 MB.
class Baseline {
 public:
  explicit Baseline(int threads);

  /// Measures once more and gives what this time came out; 0 for Against::nothing.
  double sample(Against what);
  /// Flops, or bytes read and written, a second: the best so far.
  double rate(Against what) const { return what == Against::dgemm ? dgemm_rate_ : copy_rate_; }

 private:
  double sample_dgemm();
  double sample_copy();

  int threads_;
  std::vector<double> a_, b_, c_;
  MemoryCopy copy_;
  double dgemm_rate_ = 0;
  double copy_rate_ = 0;
};

}  // namespace cli
