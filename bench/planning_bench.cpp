// How long planning takes: terms of CCSD (spin orbitals, packed pairs) from default layouts on 16 ranks, and on 2^20
// ranks of a torus of five dimensions.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "plan/distributed_plan.hpp"

namespace {

using namespace ricci;
using namespace ricci::planning;
using notation::ShapePointer;

constexpr std::int64_t occupied = 20, virtuals = 100;

/// Letters from i to n are occupied orbitals. Pairs of modes that stand side by side are packed where `pairs` says so.
ShapePointer shape_of(const std::string& letters, const std::vector<int>& pairs) {
  Extents extents;
  for (const char letter : letters) extents.push_back(letter >= 'i' && letter <= 'n' ? occupied : virtuals);
  Symmetry symmetry;
  for (int mode : pairs) symmetry = symmetry * antisymmetric(mode, mode + 1);
  return std::make_shared<const symmetry::Shape>(std::move(extents), std::move(symmetry));
}

struct Tensor {
  std::string letters;
  std::vector<int> pairs;
};
struct Term {
  Tensor c, a, b;
};

const std::vector<Term>& terms() {
  static const std::vector<Term> all = {
      {{"abij", {0, 2}}, {"abef", {0, 2}}, {"efij", {0, 2}}}, {{"abij", {0, 2}}, {"mnij", {0, 2}}, {"abmn", {0, 2}}},
      {{"abij", {0, 2}}, {"mbej", {}}, {"aeim", {0, 2}}},     {{"abij", {0, 2}}, {"ae", {}}, {"ebij", {0, 2}}},
      {{"abij", {0, 2}}, {"mi", {}}, {"abmj", {0, 2}}},       {{"mnij", {0, 2}}, {"mnef", {0, 2}}, {"efij", {0, 2}}},
      {{"mi", {}}, {"mnef", {0, 2}}, {"efin", {0, 2}}},       {{"ae", {}}, {"mnef", {0, 2}}, {"afmn", {0, 2}}},
      {{"mbej", {}}, {"mnef", {0, 2}}, {"bfjn", {0, 2}}},     {{"ai", {}}, {"aeim", {0, 2}}, {"me", {}}},
      {{"ai", {}}, {"amef", {2}}, {"efim", {0, 2}}},          {{"ai", {}}, {"mnei", {0}}, {"aemn", {0, 2}}},
      {{"abij", {0, 2}}, {"abej", {0}}, {"ei", {}}},          {{"abij", {0, 2}}, {"ambe", {}}, {"emij", {2}}},
  };
  return all;
}

void plan(benchmark::State& state, const MachineModel& machine, int ranks) {
  const Term& term = terms()[static_cast<std::size_t>(state.range(0))];
  notation::WrittenStatement written;
  std::vector<Place> places;
  const auto tensor = [&](const Tensor& given) -> notation::WrittenTensor {
    const ShapePointer shape = shape_of(given.letters, given.pairs);
    places.push_back({layout::default_layout(*shape, ranks)});
    return {shape, given.letters};
  };
  written.output = tensor(term.c);
  written.terms = {{tensor(term.a), tensor(term.b)}};
  const LocalPlan local = plan_statement(notation::bind(written), machine, Options{.threads = 1});
  for (auto _ : state) benchmark::DoNotOptimize(plan_distributed(local, places, false, ranks, machine, {}));
  state.SetLabel(term.c.letters + " += " + term.a.letters + " * " + term.b.letters);
}

void plan_on_16_ranks(benchmark::State& state) { plan(state, MachineModel{}, 16); }

void plan_on_a_million_ranks(benchmark::State& state) {
  MachineModel machine;
  machine.torus_dimensions = 5;
  plan(state, machine, 1 << 20);
}

BENCHMARK(plan_on_16_ranks)->DenseRange(0, 13)->Unit(benchmark::kMillisecond);
BENCHMARK(plan_on_a_million_ranks)->DenseRange(0, 13)->Unit(benchmark::kMillisecond);

}  // namespace
