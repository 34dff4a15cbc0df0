// Permuting the modes of 200 MB, against memcpy of as many bytes.
#include <algorithm>
#include <string_view>

#include <ricci/ricci.hpp>

#include "bench_local.hpp"

namespace cli {
namespace {

// Mode i of the output is mode digit i of the input.
constexpr std::string_view permutations[] = {"021",   "102",   "210",   "0321",   "2130",   "1032",  "3210",
                                             "04213", "32140", "43210", "032541", "320514", "543210"};
constexpr double row_bar = 0.30;
constexpr double mean_bar = 0.55;

/// About 25 million elements, whatever the order.
std::int64_t extent_of(std::size_t order) {
  switch (order) {
    case 3:
      return 292;
    case 4:
      return 70;
    case 5:
      return 30;
    default:
      return 17;
  }
}

void run_permutation(Bench& bench, Suite& suite, std::string_view permutation) {
  const std::string name(permutation);
  if (!bench.wants(name)) return;
  std::string in(permutation.size(), ' '), out;
  std::generate(in.begin(), in.end(), [next = 'a']() mutable { return next++; });
  for (const char digit : permutation) out += in[digit - '0'];
  const ricci::Extents extents(permutation.size(), extent_of(permutation.size()));
  ricci::Tensor<double> a(bench.world(), extents), b(bench.world(), extents);
  a.fill_random(1);
  const double bytes = 2.0 * sizeof(double) * static_cast<double>(a.full_size());
  bench.measure(suite, {.name = name, .group = "", .work = bytes, .bar = row_bar}, [&] { b[out] = a[in]; });
}

}  // namespace

Suite run_transpose(Bench& bench) {
  Suite suite{.name = "transpose",
              .about = "bytes a second over memcpy's; mode i of the output is mode perm[i]",
              .against = Against::copy};
  for (const auto permutation : permutations) run_permutation(bench, suite, permutation);
  bench.finish(suite);
  if (!suite.rows.empty()) suite.means.push_back(mean_of(suite.rows, "", mean_bar));
  return suite;
}

}  // namespace cli
