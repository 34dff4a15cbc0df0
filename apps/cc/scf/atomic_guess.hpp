#pragma once
#include <Eigen/Core>

#include "basis/basis_set.hpp"
#include "molecule/molecule.hpp"

namespace cc {

/// The density of the free, neutral atoms: each with its electrons spread evenly over the directions of its shells and
/// over both spins, by Hartree-Fock in its own functions. Almost always near enough to the molecule's. Collective.
Eigen::MatrixXd atomic_density(const Molecule& molecule, const BasisSet& basis);

}  // namespace cc
