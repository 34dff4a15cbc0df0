#pragma once
// The reference of a closed shell from a Hamiltonian that another program has made.
#include <Eigen/Core>

#include "fcidump/fcidump.hpp"
#include "methods/closed_shell.hpp"

namespace cc {

/// Of the first NELEC/2 orbitals of a Hamiltonian, which need not be Hartree-Fock's.
struct Determinant {
  ClosedShellReference reference;  ///< of the orbitals that are not frozen
  double energy = 0;               ///< with the core energy
  Eigen::VectorXd energies;        ///< of all its semicanonical orbitals
  int occupied = 0;                ///< frozen ones, too
};

/// The orbitals are made semicanonical: those that are occupied, and those that are not, diagonalise the Fock matrix
/// among themselves. Of those the `frozen_core` lowest are not correlated. InputError for open shells, where there is
/// nothing to correlate, and where a virtual orbital is not above all occupied ones. Uses up the dump. Collective.
Determinant determinant_of(Fcidump dump, int frozen_core);

/// Of f_ia, above which (T) is refused: it takes them for zero.
inline constexpr double brillouin_threshold = 1e-8;
/// The largest of |f_ia|; 0 for Hartree-Fock.
double largest_fov(const ClosedShellReference& reference);

}  // namespace cc
