#include "methods/to_fcidump.hpp"

#include "integrals/one_electron.hpp"

namespace cc {

Fcidump one_electron_fcidump(const Molecule& molecule, const BasisSet& basis, TwoElectron& integrals,
                             const ScfResult& scf, int frozen_core) {
  Eigen::MatrixXd h = kinetic(molecule, basis) + nuclear_attraction(molecule, basis);
  double energy = scf.nuclear_repulsion;
  if (frozen_core > 0) {
    // 2 J - K of the frozen electrons, which is half of it among themselves.
    const Eigen::MatrixXd frozen = scf.alpha.leftCols(frozen_core);
    const Eigen::MatrixXd density[] = {frozen * frozen.transpose()};
    const CoulombExchange of = integrals.coulomb_exchange(density);
    const Eigen::MatrixXd repulsion = 2 * of.coulomb - of.exchange[0];
    energy += density[0].cwiseProduct(2 * h + repulsion).sum();
    h += repulsion;
  }
  const Eigen::MatrixXd orbitals = scf.alpha.rightCols(scf.alpha.cols() - frozen_core);
  const int count = static_cast<int>(orbitals.cols());
  // Without point groups all orbitals have the one symmetry that there is. Some programs ask for it.
  return {.orbitals = count,
          .electrons = 2 * (scf.alpha_electrons - frozen_core),
          .spin = 0,
          .core_energy = energy,
          .one_electron = orbitals.transpose() * h * orbitals,
          .two_electron = {},
          .orbital_symmetries = std::vector<int>(static_cast<std::size_t>(count), 1)};
}

}  // namespace cc
