#include "triples/triple_energy.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "integrals/on_threads.hpp"

namespace cc {
namespace {

// Virtual orbitals a and b go in tiles of so many: a cache line of each row.
constexpr std::int64_t tile = 8;

/// For a in one tile and b in another, as rows over c <= b: the cube's elements in the six orders of a, b, c.
struct Orders {
  std::vector<double> bca, cab, cba, acb;
  explicit Orders(std::int64_t n) : bca(room(n)), cab(room(n)), cba(room(n)), acb(room(n)) {}
  static std::size_t room(std::int64_t n) { return static_cast<std::size_t>(tile * tile * n); }
};

class TripleEnergy {
 public:
  TripleEnergy(const double* w, const OccupiedTriple& triple, std::span<const double> energies)
      : w_(w), triple_(triple), f_(energies.data()), n_(static_cast<std::int64_t>(energies.size())) {}

  std::int64_t tiles() const { return (n_ + tile - 1) / tile; }

  /// Of all a in one tile, and b <= a, c <= b.
  double of_tile(std::int64_t number, Orders& orders) const {
    const std::int64_t a_lo = number * tile, a_hi = std::min(a_lo + tile, n_);
    double sum = 0;
    for (std::int64_t b_lo = 0; b_lo <= a_lo; b_lo += tile) {
      const std::int64_t b_hi = std::min(b_lo + tile, n_);
      gather(a_lo, a_hi, b_lo, b_hi, orders);
      for (std::int64_t a = a_lo; a < a_hi; ++a) {
        for (std::int64_t b = b_lo; b < std::min(b_hi, a + 1); ++b) {
          sum += of_row(a, b, ((a - a_lo) * tile + b - b_lo) * n_, orders);
        }
      }
    }
    return sum;
  }

 private:
  const double* row(std::int64_t x, std::int64_t y) const { return w_ + (x * n_ + y) * n_; }

  /// Whole cache lines of the cube, transposed: `at` is where row (a, b) begins.
  void gather(std::int64_t a_lo, std::int64_t a_hi, std::int64_t b_lo, std::int64_t b_hi, Orders& orders) const {
    const auto at = [&](std::int64_t a, std::int64_t b) { return ((a - a_lo) * tile + b - b_lo) * n_; };
    for (std::int64_t c = 0; c < b_hi; ++c) {
      for (std::int64_t b = b_lo; b < b_hi; ++b) {
        const double *bc = row(b, c), *cb = row(c, b);
        for (std::int64_t a = a_lo; a < a_hi; ++a) {
          orders.bca[static_cast<std::size_t>(at(a, b) + c)] = bc[a];
          orders.cba[static_cast<std::size_t>(at(a, b) + c)] = cb[a];
        }
      }
      for (std::int64_t a = a_lo; a < a_hi; ++a) {
        const double *ac = row(a, c), *ca = row(c, a);
        for (std::int64_t b = b_lo; b < b_hi; ++b) {
          orders.acb[static_cast<std::size_t>(at(a, b) + c)] = ac[b];
          orders.cab[static_cast<std::size_t>(at(a, b) + c)] = ca[b];
        }
      }
    }
  }

  /// The six orders of a, b and c, for all c: with sums over the even and the odd ones,
  ///
  ///     3 sum of W V + W_even (V_even - 2 V_odd) + W_odd (V_odd - 2 V_even)
  double of_row(std::int64_t a, std::int64_t b, std::int64_t at, const Orders& orders) const {
    const double *abc = row(a, b), *bac = row(b, a);
    const double *bca = &orders.bca[static_cast<std::size_t>(at)], *cab = &orders.cab[static_cast<std::size_t>(at)];
    const double *cba = &orders.cba[static_cast<std::size_t>(at)], *acb = &orders.acb[static_cast<std::size_t>(at)];
    const auto [i, j, k] = triple_.singles;
    const double ia = i[a], ib = i[b], ja = j[a], jb = j[b], ka = k[a], kb = k[b];
    // (x p|c q) for all c, for x = a and x = b.
    const auto over_c = [&](int p, int q, std::int64_t x) { return triple_.exchange[p][q] + x * n_; };
    const double *ij_a = over_c(0, 1, a), *ij_b = over_c(0, 1, b), *ji_a = over_c(1, 0, a), *ji_b = over_c(1, 0, b);
    const double *ik_a = over_c(0, 2, a), *ik_b = over_c(0, 2, b), *ki_a = over_c(2, 0, a), *ki_b = over_c(2, 0, b);
    const double *jk_a = over_c(1, 2, a), *jk_b = over_c(1, 2, b), *kj_a = over_c(2, 1, a), *kj_b = over_c(2, 1, b);
    const double ij_ab = ij_a[b], ij_ba = ij_b[a], ik_ab = ik_a[b], ik_ba = ik_b[a], jk_ab = jk_a[b], jk_ba = jk_b[a];
    // Where two occupied orbitals are alike, the other half of W is X with two of its places exchanged.
    const double first = triple_.first_two_alike ? 1 : 0, last = triple_.last_two_alike ? 1 : 0;
    const double gap = triple_.energy - f_[a] - f_[b];

    const auto term = [&](std::int64_t c) {
      const double w1 = abc[c] + first * bac[c] + last * acb[c], w4 = cba[c] + first * bca[c] + last * cab[c];
      const double w2 = bca[c] + first * cba[c] + last * bac[c], w5 = acb[c] + first * cab[c] + last * abc[c];
      const double w3 = cab[c] + first * acb[c] + last * cba[c], w6 = bac[c] + first * abc[c] + last * bca[c];
      const double v1 = w1 + ia * jk_b[c] + jb * ik_a[c] + k[c] * ij_ab;
      const double v2 = w2 + ib * kj_a[c] + j[c] * ik_ba + ka * ij_b[c];
      const double v3 = w3 + i[c] * jk_ab + ja * ki_b[c] + kb * ji_a[c];
      const double v4 = w4 + i[c] * jk_ba + jb * ki_a[c] + ka * ji_b[c];
      const double v5 = w5 + ia * kj_b[c] + j[c] * ik_ab + kb * ij_a[c];
      const double v6 = w6 + ib * jk_a[c] + ja * ik_b[c] + k[c] * ij_ba;
      const double w_even = w1 + w2 + w3, w_odd = w4 + w5 + w6, v_even = v1 + v2 + v3, v_odd = v4 + v5 + v6;
      const double products = w1 * v1 + w2 * v2 + w3 * v3 + w4 * v4 + w5 * v5 + w6 * v6;
      return (3 * products + w_even * (v_even - 2 * v_odd) + w_odd * (v_odd - 2 * v_even)) / (gap - f_[c]);
    };
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t c = 0; c < b; ++c) sum += term(c);
    // Where two virtual orbitals are alike, the six orders are three, twice; where all are, this is zero.
    return a == b ? 0.5 * sum : sum + 0.5 * term(b);
  }

  const double* w_;
  const OccupiedTriple& triple_;
  const double* f_;
  std::int64_t n_;
};

}  // namespace

double triple_energy(std::span<const double> w, const OccupiedTriple& triple, std::span<const double> virtual_energies,
                     int threads) {
  const TripleEnergy energy(w.data(), triple, virtual_energies);
  // Later tiles have more to do, so that the threads take turns.
  std::vector<double> sums(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int thread) {
    Orders orders(static_cast<std::int64_t>(virtual_energies.size()));
    for (std::int64_t tile = thread; tile < energy.tiles(); tile += threads) {
      sums[static_cast<std::size_t>(thread)] += energy.of_tile(tile, orders);
    }
  });
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  // The formula's third, times the six orders of i, j, k; or three where two are alike.
  return triple.first_two_alike || triple.last_two_alike ? sum : 2 * sum;
}

}  // namespace cc
