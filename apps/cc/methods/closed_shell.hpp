#pragma once
// Closed shells: the spin-adapted equations of share/cc/closed_shell_*.ric, and the triples.
#include <cstdint>

#include <Eigen/Core>

#include "methods/calculation.hpp"
#include "methods/correlation.hpp"
#include "transform/transform.hpp"

namespace cc {

/// What coupled cluster starts from.
struct ClosedShellReference {
  /// (pq|rs) over some functions, symmetric(0, 1) * symmetric(2, 3).
  Held integrals;
  Eigen::MatrixXd orbitals;  ///< of those functions, in columns: all that are correlated, occupied ones first
  Eigen::VectorXd energies;  ///< of the orbitals: occupied and virtual blocks of the Fock matrix are diagonal
  std::int64_t occupied = 0;
  Eigen::MatrixXd fov = {};  ///< its other block, f_ia; nothing for zero. (T) takes it for zero.
};

/// Whether it can be done in memory with so many functions and orbitals. Collective.
bool closed_shell_fits(const Store& store, std::int64_t functions, std::int64_t occupied, std::int64_t virtuals,
                       Method method);

/// Energies by their keys in the reference data. Uses up the reference. Collective.
Correlation correlate(const Store& store, ClosedShellReference reference, Method method,
                      const CorrelationOptions& options);

}  // namespace cc
