#include "integrals/one_electron.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "integrals/libint_shells.hpp"

namespace cc {
namespace {

using Charges = std::vector<std::pair<double, std::array<double, 3>>>;

Eigen::MatrixXd matrix_of(libint2::Operator kind, const Molecule& molecule, const BasisSet& basis) {
  const std::vector<libint2::Shell> shells = libint_shells(molecule, basis);
  const std::vector<int> first = basis.first_functions();
  std::size_t primitives = 1;
  int l = 0;
  for (const libint2::Shell& shell : shells) {
    primitives = std::max(primitives, shell.nprim());
    l = std::max(l, shell.contr[0].l);
  }
  libint2::Engine engine(kind, primitives, l);
  if (kind == libint2::Operator::nuclear) {
    Charges charges;
    for (const Atom& atom : molecule.atoms) charges.emplace_back(atom.number, atom.at);
    engine.set_params(charges);
  }
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(basis.functions(), basis.functions());
  for (std::size_t p = 0; p < shells.size(); ++p) {
    for (std::size_t q = 0; q <= p; ++q) {
      engine.compute1(shells[p], shells[q]);
      const double* values = engine.results()[0];
      if (!values) continue;
      using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      const auto rows = static_cast<Eigen::Index>(shells[p].size()),
                 columns = static_cast<Eigen::Index>(shells[q].size());
      const Block block = Eigen::Map<const Block>(values, rows, columns);
      matrix.block(first[p], first[q], rows, columns) = block;
      matrix.block(first[q], first[p], columns, rows) = block.transpose();
    }
  }
  return matrix;
}

}  // namespace

Eigen::MatrixXd overlap(const Molecule& molecule, const BasisSet& basis) {
  return matrix_of(libint2::Operator::overlap, molecule, basis);
}

Eigen::MatrixXd kinetic(const Molecule& molecule, const BasisSet& basis) {
  return matrix_of(libint2::Operator::kinetic, molecule, basis);
}

Eigen::MatrixXd nuclear_attraction(const Molecule& molecule, const BasisSet& basis) {
  return matrix_of(libint2::Operator::nuclear, molecule, basis);
}

}  // namespace cc
