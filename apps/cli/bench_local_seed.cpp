// Contractions of tensors with symmetric pairs: the time of a dgemm that does the dense flops, over ours. And one of
// coupled cluster with antisymmetric pairs: the rate at the packed flops, over dgemm's.
#include <cmath>

#include <fmt/format.h>

#include <ricci/ricci.hpp>

#include "bench_local.hpp"
#include "seed_contractions.hpp"

namespace cli {
namespace {

struct Setting {
  std::int64_t extent;
  double bar;
};

// Of each contraction in turn.
constexpr Setting settings[] = {{48, 0.90}, {48, 3.2}, {48, 0.90}, {48, 0.90}, {48, 0.90}, {4096, 0.92}, {64, 0.5}};

void run_case(Bench& bench, Suite& suite, const SeedContraction& test, const Setting& setting) {
  if (!bench.wants(test.name)) return;
  auto c = test.c.make(bench.world(), setting.extent);
  auto a = test.a.make(bench.world(), setting.extent);
  auto b = test.b.make(bench.world(), setting.extent);
  a.fill_random(1);
  b.fill_random(2);
  const double flops = 2 * std::pow(static_cast<double>(setting.extent), test.labels);
  bench.measure(suite, {.name = test.name, .group = "symmetric", .work = flops, .bar = setting.bar},
                [&] { c[test.c.labels] = a[test.a.labels] * b[test.b.labels]; });
}

void run_particle_ladder(Bench& bench, Suite& suite) {
  const std::string name = "Z[a<b,i<j]+=V[a<b,e<f]*T[e<f,i<j], antisymmetric";
  if (!bench.wants(name)) return;
  constexpr std::int64_t occupied = 20, virtuals = 80;
  const auto anti = ricci::antisymmetric(0, 1) * ricci::antisymmetric(2, 3);
  ricci::Tensor<double> v(bench.world(), {virtuals, virtuals, virtuals, virtuals}, anti);
  ricci::Tensor<double> t(bench.world(), {virtuals, virtuals, occupied, occupied}, anti);
  ricci::Tensor<double> z(bench.world(), {virtuals, virtuals, occupied, occupied}, anti);
  v.fill_random(1);
  t.fill_random(2);
  constexpr double pairs_o = occupied * (occupied - 1) / 2.0, pairs_v = virtuals * (virtuals - 1) / 2.0;
  bench.measure(suite, {.name = name, .group = "antisymmetric", .work = 2 * pairs_v * pairs_v * pairs_o, .bar = 0.85},
                [&] { z["abij"] += v["abef"] * t["efij"]; });
}

}  // namespace

Suite run_seed(Bench& bench) {
  Suite suite{.name = "seed",
              .about = "time of dgemm at the dense flops over ours; antisymmetric: at the packed flops"};
  const Setting* setting = settings;
  for (const SeedContraction& test : seed_contractions()) run_case(bench, suite, test, *setting++);
  run_particle_ladder(bench, suite);
  bench.finish(suite);
  return suite;
}

}  // namespace cli
