#pragma once
// What one triple of occupied orbitals adds to the (T) energy of a closed shell.
#include <array>
#include <cstdint>
#include <span>

namespace cc {

/// Of the occupied orbitals i >= j >= k, not all three alike. Matrices are row-major, virtual by virtual.
struct OccupiedTriple {
  std::array<const double*, 3> singles = {};  ///< t[a,i], t[a,j], t[a,k]
  /// (a p|b q) for p and q of i, j, k: at [p][q] the matrix over a and b; nothing for p = q.
  std::array<std::array<const double*, 3>, 3> exchange = {};
  double energy = 0;  ///< e[i] + e[j] + e[k]
  bool first_two_alike = false, last_two_alike = false;
};

/// The sum over all a, b, c, and over all orders of i, j, k, of
///
///     1/3 (4 W[abc] + W[bca] + W[cab]) (V[abc] - V[cba]) / (e[i] + e[j] + e[k] - f[a] - f[b] - f[c])
///
/// (Rendell, Lee and Komornicki, Chem. Phys. Lett. 178, 462, 1991). As orders of i, j, k are orders of a, b, c, the sum
/// stays what it is with V[abc] - 1/3 (V[cba] + V[acb] + V[bac]) in the second factor, and then each of the orders adds
/// the same. Here V[abc] is W[abc] + t[a,i] (bj|ck) +
/// t[b,j] (ai|ck) + t[c,k] (ai|bj). `w` is W, a row-major cube over the virtual orbitals; where two occupied orbitals
/// are alike, a half of W will do: X with W[abc] = X[abc] + X[bac], or X[abc] + X[acb] for the last two.
double triple_energy(std::span<const double> w, const OccupiedTriple& triple, std::span<const double> virtual_energies,
                     int threads);

}  // namespace cc
