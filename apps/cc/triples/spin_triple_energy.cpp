#include "triples/spin_triple_energy.hpp"

#include <numeric>
#include <vector>

#include "integrals/on_threads.hpp"

namespace cc {
namespace {

/// The sum of f(a, b) over a > b. Later a have more to do, so that the threads take turns.
template <class F>
double sum_over_pairs(std::int64_t v, int threads, const F& f) {
  std::vector<double> sums(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int thread) {
    double sum = 0;
    for (std::int64_t a = thread; a < v; a += threads) {
      for (std::int64_t b = 0; b < a; ++b) sum += f(a, b);
    }
    sums[static_cast<std::size_t>(thread)] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

double like_spins_energy(std::span<const double> x, const OccupiedSpinTriple& triple, std::span<const double> energies,
                         int threads) {
  const auto v = static_cast<std::int64_t>(energies.size()), pairs = pair_of(v, 0);
  const auto [ti, tj, tk] = triple.singles;
  const auto [vjk, vik, vij] = triple.integrals;
  const double* f = energies.data();
  return sum_over_pairs(v, threads, [&](std::int64_t a, std::int64_t b) {
    const double *a_b = x.data() + a * pairs + pair_of(b, 0), *b_a = x.data() + b * pairs + pair_of(a, 0);
    const double* ab = x.data() + pair_of(a, b);
    const double *jk_a = vjk + a * v, *jk_b = vjk + b * v, *ik_a = vik + a * v, *ik_b = vik + b * v;
    const double *ij_a = vij + a * v, *ij_b = vij + b * v;
    const double gap = triple.energy - f[a] - f[b];
    double sum = 0;
    for (std::int64_t c = 0; c < b; ++c) {
      const double w = a_b[c] - b_a[c] + ab[c * pairs];
      const double disconnected = ti[a] * jk_b[c] - ti[b] * jk_a[c] + ti[c] * jk_a[b]    //
                                  - tj[a] * ik_b[c] + tj[b] * ik_a[c] - tj[c] * ik_a[b]  //
                                  + tk[a] * ij_b[c] - tk[b] * ij_a[c] + tk[c] * ij_a[b];
      sum += w * (w + disconnected) / (gap - f[c]);
    }
    return sum;
  });
}

double mixed_spins_energy(std::span<const double> x, std::span<const double> y, const OccupiedSpinTriple& triple,
                          std::span<const double> like_energies, std::span<const double> other_energies, int threads) {
  const auto v = static_cast<std::int64_t>(like_energies.size()), n = static_cast<std::int64_t>(other_energies.size());
  const auto [ti, tj, tk] = triple.singles;
  const auto [vjk, vik, vij] = triple.integrals;
  const double* f = other_energies.data();
  return sum_over_pairs(v, threads, [&](std::int64_t a, std::int64_t b) {
    const double *a_b = x.data() + (a * v + b) * n, *b_a = x.data() + (b * v + a) * n;
    const double* ab = y.data() + pair_of(a, b) * n;
    const double *jk_a = vjk + a * n, *jk_b = vjk + b * n, *ik_a = vik + a * n, *ik_b = vik + b * n;
    const double ia = ti[a], ib = ti[b], ja = tj[a], jb = tj[b], ij_ab = vij[a * v + b];
    const auto at = [&](std::int64_t p) { return like_energies[static_cast<std::size_t>(p)]; };
    const double gap = triple.energy - at(a) - at(b);
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t c = 0; c < n; ++c) {
      const double w = a_b[c] - b_a[c] + ab[c];
      const double disconnected = ia * jk_b[c] - ib * jk_a[c] - ja * ik_b[c] + jb * ik_a[c] + tk[c] * ij_ab;
      sum += w * (w + disconnected) / (gap - f[c]);
    }
    return sum;
  });
}

}  // namespace cc
