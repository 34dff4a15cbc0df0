// Contractions of tensors with symmetric pairs: the time of a dgemm that does the dense flops, over ours. And one of
// coupled cluster with antisymmetric pairs: the rate at the packed flops, over dgemm's.
#include <cmath>

#include <fmt/format.h>

#include <ricci/ricci.hpp>

#include "bench_local.hpp"

namespace cli {
namespace {

struct Operand {
  std::string labels;
  ricci::Symmetry symmetry;

  ricci::Tensor<double> make(const ricci::World& world, std::int64_t extent) const {
    return {world, ricci::Extents(labels.size(), extent), symmetry};
  }
};

struct SeedCase {
  std::string name;  // x>y is a symmetric pair
  std::int64_t extent;
  int labels;  // different ones: the dense flops are 2 extent^labels
  double bar;
  Operand c, a, b;
};

std::vector<SeedCase> seed_cases() {
  const auto first = ricci::symmetric(0, 1), last = ricci::symmetric(2, 3), both = first * last;
  return {
      {"1 C[i,j,a,b]=A[i,k,a>l]*B[l,j,k>b]", 48, 6, 0.90, {"ijab", {}}, {"ikal", last}, {"ljkb", last}},
      {"2 C[i>j,a>b]=A[i>k,j>l]*B[a>b,k>l]", 48, 6, 3.2, {"ijab", both}, {"ikjl", both}, {"abkl", both}},
      {"3 C[i,a,j,b]=A[i>k,j>l]*B[l,a,k,b]", 48, 6, 0.90, {"iajb", {}}, {"ikjl", both}, {"lakb", {}}},
      {"4 C[i,a,j,b]=A[i>k,j>l]*B[l,a,k>b]", 48, 6, 0.90, {"iajb", {}}, {"ikjl", both}, {"lakb", last}},
      {"5 C[i,a,j,b]=A[i>k,j>l]*B[l>a,k>b]", 48, 6, 0.90, {"iajb", {}}, {"ikjl", both}, {"lakb", both}},
      {"6 C[i,a]=A[i>k]*B[k>a]", 4096, 3, 0.92, {"ia", {}}, {"ik", first}, {"ka", first}},
      {"7 C[i,j,a,b]=A[i,j,b>k]*B[a>k]", 64, 5, 0.5, {"ijab", {}}, {"ijbk", last}, {"ak", first}},
  };
}

void run_case(Bench& bench, Suite& suite, const SeedCase& test) {
  if (!bench.wants(test.name)) return;
  auto c = test.c.make(bench.world(), test.extent);
  auto a = test.a.make(bench.world(), test.extent);
  auto b = test.b.make(bench.world(), test.extent);
  a.fill_random(1);
  b.fill_random(2);
  const double flops = 2 * std::pow(static_cast<double>(test.extent), test.labels);
  bench.measure(suite, {.name = test.name, .group = "symmetric", .work = flops, .bar = test.bar},
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
  for (const SeedCase& test : seed_cases()) run_case(bench, suite, test);
  run_particle_ladder(bench, suite);
  bench.finish(suite);
  return suite;
}

}  // namespace cli
