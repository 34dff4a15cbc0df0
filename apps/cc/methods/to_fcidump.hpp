#pragma once
// The Hamiltonian of a molecule in its orbitals, for other programs.
#include "basis/basis_set.hpp"
#include "fcidump/fcidump.hpp"
#include "integrals/two_electron.hpp"
#include "molecule/molecule.hpp"
#include "scf/scf.hpp"

namespace cc {

/// All but the integrals over two electrons, in the restricted orbitals that are not frozen. What frozen ones add is in
/// the core energy and in h. Collective.
Fcidump one_electron_fcidump(const Molecule& molecule, const BasisSet& basis, TwoElectron& integrals,
                             const ScfResult& scf, int frozen_core);

}  // namespace cc
