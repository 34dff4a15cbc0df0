#pragma once
// The perturbative triples (T) of closed-shell CCSD(T), Raghavachari et al. 1989, without an array of triples.
#include <cstdint>
#include <functional>
#include <vector>

#include "store/held.hpp"

namespace cc {

/// What (T) is made of. Tensors lie on one world, whose ranks share the work. Orbitals are real and canonical: i, j, k,
/// l are occupied, a, b, c, d virtual, and integrals stand in the chemists' notation.
struct ClosedShellTriples {
  const Held& t1;  ///< t[a,i]
  const Held& t2;  ///< t[a,b,i,j]
  const Held& m;   ///< m[k,i,l,c] = (ki|lc), symmetric in k, i or not
  const Held& k;   ///< k[a,b,i,j] = (ai|bj)
  /// All of the (kc|bd) with lo <= k < hi, row-major in k, b, c, d, on every rank. Collective.
  std::function<std::vector<double>(std::int64_t lo, std::int64_t hi)> integrals;
  std::vector<double> occupied_energies, virtual_energies;
};

/// `integrals` from what share/cc/closed_shell_ccsd.ric has: gp[k,b,c,d] = (kc|bd) + (kd|bc), symmetric in c, d, and
/// gm[k,b,c,d] = (kc|bd) - (kd|bc), antisymmetric. Refers to both.
std::function<std::vector<double>(std::int64_t lo, std::int64_t hi)> integrals_from(const Held& gp, const Held& gm);

struct TriplesOptions {
  int threads = 1;
  /// Bytes that this may take on a rank, beside what it is given; 0: no limit.
  std::int64_t memory_limit = 0;
  /// The part of the work that is done, between 0 and 1, now and then, on every rank.
  std::function<void(double done)> progress = {};
};

/// The (T) energy, the same on every rank. o^3 v^3 (o + v) multiplications. Where the limit does not suffice for all
/// (kc|bd), they are asked for in blocks of k, some more than once. ResourceError, with the least memory that will do,
/// where three k are too many. Collective.
double closed_shell_triples(const ClosedShellTriples& input, const TriplesOptions& options = {});

/// ResourceError where so many orbitals take more than the limit.
void check_closed_shell_triples(std::int64_t occupied, std::int64_t virtuals, std::int64_t limit);

}  // namespace cc
