#pragma once
// Closed shells: the spin-adapted equations of share/cc/closed_shell_*.ric, and the triples.
#include <functional>
#include <map>
#include <string>

#include "methods/calculation.hpp"
#include "methods/correlation.hpp"
#include "transform/mo_integrals.hpp"

namespace cc {

/// What coupled cluster starts from.
struct ClosedShellReference {
  /// (pq|rs) of all orbitals that are correlated, occupied ones first, symmetric(0, 1) * symmetric(2, 3).
  ricci::Tensor<double> mo;
  Eigen::VectorXd energies;  ///< of the same orbitals: occupied and virtual blocks of the Fock matrix are diagonal
  std::int64_t occupied = 0;
  Eigen::MatrixXd fov = {};  ///< its other block, f_ia; nothing for zero. (T) takes it for zero.
};

/// Energies by their keys in the reference data. Uses up the reference. Collective.
Correlation correlate(ClosedShellReference reference, Method method, const CorrelationOptions& options);

}  // namespace cc
