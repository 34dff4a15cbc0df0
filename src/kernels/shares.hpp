#pragma once
// How a folded index space is dealt out to threads.
#include <cstdint>
#include <vector>

#include "kernels/access.hpp"
#include "symmetry/fold.hpp"
#include "util/aligned_buffer.hpp"
#include "util/parallel.hpp"

namespace ricci::kernels {

/// One thread's part of a loop.
struct Share {
  int unit = -1;  // none: everything
  std::int64_t first = 0, count = 0;
};

struct Shares {
  std::vector<Share> parts;  // one a thread
  bool summed = false;       // the loop is summed over: each thread needs an output of its own, added up in the end
};

/// Threads write to different elements of the output `c`, so that results do not depend on their number or timing. Only
/// where no loop allows that, and the output is small, a summed loop is dealt out.
Shares deal_out(const symmetry::Fold& fold, const Access& c, std::int64_t output_size, int threads);

/// Calls f(share, output, accumulate) on a thread for each share. Where a summed loop is dealt out, every thread has a
/// zeroed output of its own, and these are added to `out` (or put there) in the order of the threads.
template <class T, class F>
void run_shares(const Shares& shares, std::int64_t output_size, T* out, bool accumulate, F&& f) {
  const int count = static_cast<int>(shares.parts.size());
  if (!shares.summed) {
    run_on_threads(count, [&](int t) { f(shares.parts[t], out, accumulate); });
    return;
  }
  std::vector<AlignedBuffer> sums;
  for (int t = 0; t < count; ++t) {
    sums.push_back(AlignedBuffer::zeroed(output_size * static_cast<std::int64_t>(sizeof(T))));
  }
  run_on_threads(count, [&](int t) { f(shares.parts[t], sums[t].template as<T>(), true); });
  for (int t = 0; t < count; ++t) {
    const T* const sum = sums[t].template as<T>();
    const bool first = t == 0 && !accumulate;
    for (std::int64_t i = 0; i < output_size; ++i) out[i] = first ? sum[i] : out[i] + sum[i];
  }
}

}  // namespace ricci::kernels
