#pragma once
// What one triple of occupied spin orbitals adds to the (T) energy.
#include <array>
#include <cstdint>
#include <span>

namespace cc {

/// Of i > j > k of one spin, or i > j of one spin and k of the other: `like` and `other`. Virtual a and b, and c in the
/// first case, are of the spin `like`, c in the second of the other spin. Matrices are row-major.
struct OccupiedSpinTriple {
  std::array<const double*, 3> singles = {};  ///< t[a,i], t[a,j], t[c,k]
  /// <bc||jk>, <bc||ik>, <ab||ij>
  std::array<const double*, 3> integrals = {};
  double energy = 0;  ///< e[i] + e[j] + e[k]
};

/// The pairs a > b: where (a, b) stands among them.
constexpr std::int64_t pair_of(std::int64_t a, std::int64_t b) { return a * (a - 1) / 2 + b; }

/// Both are sums over a > b, and c, of
///
///     W[abc] (W[abc] + V[abc]) / (e[i] + e[j] + e[k] - f[a] - f[b] - f[c])
///
/// with V[abc] = P(i/jk) P(a/bc) t[a,i] <bc||jk>, where P(p/qr) subtracts the exchanges of p with q, and with r.
///
/// One spin: c < b, and W[abc] = X[a,bc] - X[b,ac] + X[c,ab]. `x` has the rows a, and the pairs b > c as columns.
double like_spins_energy(std::span<const double> x, const OccupiedSpinTriple& triple, std::span<const double> energies,
                         int threads);

/// Two spins: W[abc] = X[a,bc] - X[b,ac] + Y[ab,c]. `x` has the rows a, and as columns all b and c; `y` has the pairs
/// a > b as rows.
double mixed_spins_energy(std::span<const double> x, std::span<const double> y, const OccupiedSpinTriple& triple,
                          std::span<const double> like_energies, std::span<const double> other_energies, int threads);

}  // namespace cc
