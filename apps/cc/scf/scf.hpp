#pragma once
// Hartree-Fock: restricted for singlets, unrestricted for all else.
#include <cstdint>
#include <functional>

#include <Eigen/Core>

#include "basis/basis_set.hpp"
#include "integrals/two_electron.hpp"
#include "molecule/molecule.hpp"

namespace cc {

enum class Guess {
  atoms,  ///< the density of the free atoms, each averaged over directions
  core,   ///< electrons that do not see each other
};

struct ScfIteration {
  int iteration = 0;    ///< from 1
  double energy = 0;    ///< of the density that the iteration starts with
  double change = 0;    ///< from the iteration before
  double residual = 0;  ///< the largest element of FDS - SDF, in an orthonormal basis
  double seconds = 0;
};

struct ScfOptions {
  bool unrestricted = false;  ///< also for singlets
  int max_iterations = 100;
  double energy_threshold = 1e-10;
  double gradient_threshold = 1e-9;  ///< of the residual
  double level_shift = 0;            ///< Hartree, added to virtual orbitals while iterating
  Guess guess = Guess::atoms;
  std::int64_t memory_bytes = 0;  ///< as for TwoElectron
  int threads = 1;
  std::function<void(const ScfIteration&)> report = {};  ///< called on all ranks
};

struct ScfParts {
  double kinetic = 0, nuclear_attraction = 0, coulomb = 0, exchange = 0;
};

struct ScfResult {
  double energy = 0;  ///< with the nuclear repulsion
  double nuclear_repulsion = 0;
  ScfParts parts;
  bool restricted = true;
  /// Canonical orbitals, one a column, by rising energy. Restricted: beta has the same as alpha.
  Eigen::MatrixXd alpha, beta;
  Eigen::VectorXd alpha_energies, beta_energies;
  int alpha_electrons = 0, beta_electrons = 0;
  int removed = 0;  ///< combinations of functions left out, since the others can make them; so many orbitals fewer
  double spin_squared = 0;
  int iterations = 0;
};

/// Collective; the same bits on all ranks. InputError, with advice, where it does not converge, and for a basis that
/// has fewer functions than there are electrons of one spin.
ScfResult run_scf(const Molecule& molecule, const BasisSet& basis, const ScfOptions& options);
/// With integrals that others use, too; their options stand in place of memory_bytes and threads.
ScfResult run_scf(const Molecule& molecule, const BasisSet& basis, TwoElectron& integrals, const ScfOptions& options);

}  // namespace cc
