// TCCG: 48 contractions of quantum chemistry and others, against dgemm; the bar is the best of three peers.
#include <map>

#include <fmt/format.h>

#include <ricci/ricci.hpp>

#include "bench_local.hpp"
#include "tccg_table.hpp"

namespace cli {
namespace {

ricci::Extents extents_of(const std::string& labels, const TccgCase& test) {
  ricci::Extents extents;
  for (const char label : labels) extents.push_back(test.extents[label - 'a']);
  return extents;
}

double flops_of(const TccgCase& test) {
  double flops = 2;
  for (const std::int64_t extent : test.extents) flops *= static_cast<double>(extent);
  return flops;
}

void run_case(Bench& bench, Suite& suite, const TccgCase& test) {
  const auto name = fmt::format("{:02} {}-{}-{}", test.id, test.c, test.a, test.b);
  if (!bench.wants(name) && !bench.wants(test.group)) return;
  const auto lc = row_major(test.c), la = row_major(test.a), lb = row_major(test.b);
  ricci::Tensor<double> c(bench.world(), extents_of(lc, test)), a(bench.world(), extents_of(la, test)),
      b(bench.world(), extents_of(lb, test));
  a.fill_random(1);
  b.fill_random(2);
  bench.measure(suite,
                {.name = name, .group = test.group, .work = flops_of(test), .bar = 0.8 * test.best_peer / peer_dgemm},
                [&] { c[lc] = a[la] * b[lb]; });
}

}  // namespace

Suite run_tccg(Bench& bench) {
  Suite suite{.name = "tccg", .about = "rate over dgemm's; the bar of a row is 0.8 of the best peer's"};
  for (const TccgCase& test : tccg_cases()) run_case(bench, suite, test);
  bench.finish(suite);
  // The best of the three peers in each group, and what we ask of the whole.
  const std::map<std::string, double> group_bars{{"intensli", 0.34}, {"ao2mo", 0.65}, {"ccsd", 0.93}, {"ccsd_t", 0.40}};
  std::string group;
  for (const Row& row : suite.rows) {
    if (row.group != group) suite.means.push_back(mean_of(suite.rows, row.group, group_bars.at(row.group)));
    group = row.group;
  }
  if (!suite.rows.empty()) suite.means.push_back(mean_of(suite.rows, "", 0.60));
  return suite;
}

}  // namespace cli
