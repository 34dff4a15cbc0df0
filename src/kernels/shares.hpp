#pragma once
// How a folded index space is dealt out to threads.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/access.hpp"
#include "kernels/axis.hpp"
#include "kernels/workers.hpp"
#include "symmetry/fold.hpp"
#include "util/parallel.hpp"

namespace ricci::kernels {

/// A part of a loop.
struct LoopPart {
  int unit;
  std::int64_t first, count;
};

/// A part of the index space: some loops in part, the others whole.
using Box = std::vector<LoopPart>;

/// What one thread does, one box after the other.
using Share = std::vector<Box>;

struct Shares {
  std::vector<Share> threads;
  bool summed = false;  // a summed loop is dealt out: each thread needs an output of its own, added up in the end
};

/// An axis restricted to a box.
Axis restricted(const Axis& axis, const Box& box);

/// Threads write to different elements of the output `c`, so that results do not depend on timing:
///  - a loop that leads to different elements is cut in pieces; or
///  - where the output has a packed pair with its labels x and y in two loops, both are cut into blocks, and a thread
///  does
///    (x in I, y in J) together with (x in J, y in I), which lead to the same elements; or
///  - where the output is small, a summed loop is cut.
Shares deal_out(const symmetry::Fold& fold, const Access& c, std::int64_t output_size, int threads);

/// Calls f(box, output, accumulate) for all boxes, on a thread for each share. Where a summed loop is dealt out, every
/// thread has a zeroed output of its own, and these are added to `out` (or put there) in the order of the threads.
template <class T, class F>
void run_shares(const Shares& shares, std::int64_t output_size, T* out, bool accumulate, BufferPool* pool, F&& f) {
  const int count = static_cast<int>(shares.threads.size());
  const auto run = [&](int t, T* output, bool adds) {
    for (const Box& box : shares.threads[t]) f(box, output, adds);
  };
  if (!shares.summed) {
    run_on_threads(count, [&](int t) { run(t, out, accumulate); });
    return;
  }
  std::vector<PooledBuffer> sums;
  for (int t = 0; t < count; ++t) sums.emplace_back(pool, output_size * static_cast<std::int64_t>(sizeof(T)));
  run_on_threads(count, [&](int t) {
    std::fill_n(sums[t].template as<T>(), output_size, T(0));
    run(t, sums[t].template as<T>(), true);
  });
  for (int t = 0; t < count; ++t) {
    const T* const sum = sums[t].template as<T>();
    const bool first = t == 0 && !accumulate;
    for (std::int64_t i = 0; i < output_size; ++i) out[i] = first ? sum[i] : out[i] + sum[i];
  }
}

}  // namespace ricci::kernels
