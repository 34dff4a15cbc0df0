#pragma once
// The perturbative triples (T) of CCSD(T) from unrestricted orbitals, without an array of triples.
#include <array>
#include <cstdint>

#include "store/held.hpp"
#include "triples/closed_shell_triples.hpp"

namespace cc {

/// The (T) energy, the same on every rank, of orbitals that are real and canonical for each spin:
///
///     1/36 W (W + V) / (e[i] + e[j] + e[k] - f[a] - f[b] - f[c]), summed over all spin orbitals,
///     W[abc] = P(i/jk) P(a/bc) (t[a,d,j,k] <di||bc> - t[b,c,i,l] <la||jk>),
///     V[abc] = P(i/jk) P(a/bc) t[a,i] <jk||bc>
///
/// `blocks`: what share/cc/spin_orbital_ccsd.ric, spin-integrated, has under these names: e, f, T1, T2, Vvvoo, Vovvv
/// and Voovo of all spins. Their world is all ranks of the run.
///
/// Every rank takes its share of the triples of occupied orbitals, of three alpha electrons, two and one, one and two,
/// and three beta electrons one after the other. For this it holds the integrals of one occupied and three virtual
/// orbitals: o v^2 (o + v) (1/2 + 2) numbers for o occupied and v virtual orbitals of each spin; and cubes of v^3.
/// ResourceError, with the least memory that will do, where they do not fit. Collective.
double unrestricted_triples(const Tensors& blocks, const TriplesOptions& options = {});

/// Of one spin.
struct OrbitalCounts {
  std::int64_t occupied = 0, virtuals = 0;
};
/// ResourceError where so many orbitals of alpha and beta spin take more than the limit.
void check_unrestricted_triples(const std::array<OrbitalCounts, 2>& alpha_beta, std::int64_t limit);

}  // namespace cc
