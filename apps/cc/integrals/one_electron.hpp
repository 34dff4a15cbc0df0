#pragma once
// Integrals over one electron.
#include <Eigen/Core>

#include "basis/basis_set.hpp"
#include "molecule/molecule.hpp"

namespace cc {

Eigen::MatrixXd overlap(const Molecule& molecule, const BasisSet& basis);
Eigen::MatrixXd kinetic(const Molecule& molecule, const BasisSet& basis);
/// Of an electron with all nuclei.
Eigen::MatrixXd nuclear_attraction(const Molecule& molecule, const BasisSet& basis);

}  // namespace cc
