// What a tiny contraction costs when it is repeated: the price of the machinery.
#include <ricci/ricci.hpp>

#include "bench_local.hpp"

namespace cli {
namespace {

void run_tiny(Bench& bench, Suite& suite, const Row& row, const ricci::Symmetry& symmetry) {
  if (!bench.wants(row.name)) return;
  const ricci::Extents extents(4, 4);
  ricci::Tensor<double> a(bench.world(), extents, symmetry), b(bench.world(), extents, symmetry),
      c(bench.world(), extents, symmetry);
  a.fill_random(1);
  b.fill_random(2);
  constexpr int calls = 2000;
  bench.measure(
      suite, row,
      [&] {
        for (int i = 0; i < calls; ++i) c["abij"] = a["abef"] * b["efij"];
      },
      calls);
}

}  // namespace

Suite run_small(Bench& bench) {
  Suite suite{.name = "small",
              .about = "microseconds a call of C[abij] = A[abef] B[efij], extents 4; at most the bar",
              .against = Against::nothing};
  run_tiny(bench, suite, {.name = "no symmetry", .group = "", .bar = 5}, {});
  run_tiny(bench, suite, {.name = "symmetric pairs", .group = "", .bar = 10},
           ricci::symmetric(0, 1) * ricci::symmetric(2, 3));
  bench.finish(suite);
  return suite;
}

}  // namespace cli
