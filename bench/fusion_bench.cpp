// Table 3 of seed 003: predicted disk seconds of the four-index transform by the three searches, and what planning
// takes. ricci_bench --benchmark_filter=Table3
#include <benchmark/benchmark.h>

#include "fusion/out_of_core_plan.hpp"

namespace {

using namespace ricci::fusion;

/// B[a,b,c,d] = A[p,q,r,s] C4[p,a] C3[q,b] C2[r,c] C1[s,d]
Forest four_index(std::int64_t a, std::int64_t p) {
  Forest forest;
  for (const char* name : {"a", "b", "c", "d"}) forest.labels.push_back({name, a});
  for (const char* name : {"p", "q", "r", "s"}) forest.labels.push_back({name, p});
  for (const char* name : {"A", "C4", "T1", "C3", "T2", "C2", "T3", "C1", "B"}) forest.arrays.push_back({name});
  Tree tree{{{0, {4, 5, 6, 7}}}};
  std::vector<int> labels = tree.nodes[0].labels;
  for (int step = 0; step < 4; ++step) {
    const int last = tree.root();
    tree.nodes.push_back({2 * step + 1, {4 + step, step}});
    labels[static_cast<std::size_t>(step)] = step;
    tree.nodes.push_back({2 * step + 2, labels, last, last + 1});
  }
  forest.trees = {tree};
  return forest;
}

void Table3(benchmark::State& state) {
  const Forest forest = four_index(state.range(0), state.range(1));
  const auto disk_seconds = [&](SearchKind search) {
    OutOfCoreOptions options;
    options.search = search;
    return plan_out_of_core(forest, state.range(2) * 1'000'000, {15.4e6, 10.5e6, 0}, options).seconds;
  };
  double optimal = 0;
  for (auto _ : state) optimal = disk_seconds(SearchKind::optimal);
  const double efficient = disk_seconds(SearchKind::efficient), decoupled = disk_seconds(SearchKind::decoupled);
  state.counters["optimal_s"] = optimal;
  state.counters["efficient_s"] = efficient;
  state.counters["decoupled_s"] = decoupled;
  state.counters["factor"] = decoupled / optimal;
}

BENCHMARK(Table3)
    ->ArgNames({"a", "p", "MB"})
    ->ArgsProduct({{70}, {80}, {100, 500, 2000}})
    ->ArgsProduct({{200}, {300}, {100, 500, 2000}})
    ->ArgsProduct({{500}, {600}, {100, 500, 2000}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
