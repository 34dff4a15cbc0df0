#include "scf/atomic_guess.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include <Eigen/Eigenvalues>

#include "integrals/one_electron.hpp"
#include "integrals/two_electron.hpp"
#include "ranks/ranks.hpp"
#include "scf/diis.hpp"

namespace cc {
namespace {

constexpr int momenta = 3;  // s, p, d: all that atoms up to Kr have occupied

/// Electrons of each angular momentum, filled in the order 1s 2s 2p 3s 3p 4s 3d 4p.
std::array<int, momenta> electrons_by_momentum(int electrons) {
  std::array<int, momenta> by_momentum = {};
  for (const int l : {0, 0, 1, 0, 1, 0, 2, 1}) {
    const int here = std::min(electrons, 2 * (2 * l + 1));
    by_momentum[static_cast<std::size_t>(l)] += here;
    electrons -= here;
  }
  return by_momentum;
}

/// An atom whose density is round: for each l a matrix over the shells of that l, the same for all 2l + 1 directions.
class RoundAtom {
 public:
  /// `shells` are those of the atom in the molecule.
  RoundAtom(int number, std::span<const Shell> shells) : electrons_(electrons_by_momentum(number)) {
    molecule_.atoms.push_back({.number = number, .at = {}});
    for (Shell shell : shells) {
      shell.atom = 0;
      if (shell.l < momenta && electrons_[static_cast<std::size_t>(shell.l)] > 0) basis_.shells.push_back(shell);
    }
    const std::vector<int> first = basis_.first_functions();
    for (std::size_t i = 0; i < basis_.shells.size(); ++i)
      first_[static_cast<std::size_t>(basis_.shells[i].l)].push_back(first[i]);
  }

  /// For each l the density of one direction, over the shells of that l.
  std::array<Eigen::MatrixXd, momenta> densities() const {
    const Eigen::MatrixXd s = overlap(molecule_, basis_);
    const Eigen::MatrixXd core = kinetic(molecule_, basis_) + nuclear_attraction(molecule_, basis_);
    TwoElectron integrals(molecule_, basis_);
    Diis diis;
    Eigen::MatrixXd density = fill(core, s);
    for (int iteration = 0; iteration < 40; ++iteration) {
      const CoulombExchange sums = integrals.coulomb_exchange({&density, 1});
      const Eigen::MatrixXd fock = core + sums.coulomb - 0.5 * sums.exchange[0];
      const Eigen::MatrixXd product = fock * density * s, residual = product - product.transpose();
      if (residual.cwiseAbs().maxCoeff() < 1e-5) break;
      density = fill(diis.extrapolate(fock, residual), s);
    }
    ranks::broadcast({density.data(), static_cast<std::size_t>(density.size())});
    std::array<Eigen::MatrixXd, momenta> result;
    for (int l = 0; l < momenta; ++l) result[static_cast<std::size_t>(l)] = part(density, l);
    return result;
  }

 private:
  const std::vector<int>& first(int l) const { return first_[static_cast<std::size_t>(l)]; }

  /// Over the shells of angular momentum l, the mean of all directions.
  Eigen::MatrixXd part(const Eigen::MatrixXd& matrix, int l) const {
    const auto n = static_cast<Eigen::Index>(first(l).size());
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        for (int m = 0; m < 2 * l + 1; ++m)
          mean(i, j) += matrix(first(l)[static_cast<std::size_t>(i)] + m, first(l)[static_cast<std::size_t>(j)] + m);
      }
    }
    return mean / (2 * l + 1);
  }

  /// The electrons of each l in the lowest orbitals of that l.
  Eigen::MatrixXd fill(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& s) const {
    Eigen::MatrixXd density = Eigen::MatrixXd::Zero(fock.rows(), fock.cols());
    for (int l = 0; l < momenta; ++l) {
      if (first(l).empty()) continue;
      const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(part(fock, l), part(s, l));
      Eigen::MatrixXd one = Eigen::MatrixXd::Zero(solver.eigenvectors().rows(), solver.eigenvectors().rows());
      double left = static_cast<double>(electrons_[static_cast<std::size_t>(l)]) / (2 * l + 1);
      for (Eigen::Index k = 0; k < one.rows() && left > 0; ++k, left -= 2)
        one += std::min(left, 2.0) * solver.eigenvectors().col(k) * solver.eigenvectors().col(k).transpose();
      for (Eigen::Index i = 0; i < one.rows(); ++i) {
        for (Eigen::Index j = 0; j < one.rows(); ++j) {
          for (int m = 0; m < 2 * l + 1; ++m)
            density(first(l)[static_cast<std::size_t>(i)] + m, first(l)[static_cast<std::size_t>(j)] + m) = one(i, j);
        }
      }
    }
    return density;
  }

  Molecule molecule_;
  BasisSet basis_;
  std::array<int, momenta> electrons_;
  std::array<std::vector<int>, momenta> first_;
};

/// What the sum over all directions of one function times itself is in the functions of a shell: the unit matrix, but
/// for Cartesian d (xx, xy, xz, yy, yz, zz, with the norm of xx = 1, that of xy then being 1/3), of which one
/// combination is an s.
Eigen::MatrixXd all_directions(int l, bool spherical) {
  if (spherical || l < 2) return Eigen::MatrixXd::Identity(2 * l + 1, 2 * l + 1);
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(6, 6);
  for (const int i : {0, 3, 5}) {
    for (const int j : {0, 3, 5}) d(i, j) = i == j ? 1 : -0.5;
  }
  for (const int i : {1, 2, 4}) d(i, i) = 3;
  return d;
}

}  // namespace

Eigen::MatrixXd atomic_density(const Molecule& molecule, const BasisSet& basis) {
  Eigen::MatrixXd density = Eigen::MatrixXd::Zero(basis.functions(), basis.functions());
  const std::vector<int> first = basis.first_functions();
  std::map<int, std::array<Eigen::MatrixXd, momenta>> atoms;  // by element
  for (std::size_t begin = 0, end = 0; begin < basis.shells.size(); begin = end) {
    const int atom = basis.shells[begin].atom, number = molecule.atoms[static_cast<std::size_t>(atom)].number;
    while (end < basis.shells.size() && basis.shells[end].atom == atom) ++end;
    const std::span<const Shell> shells(basis.shells.data() + begin, end - begin);
    if (!atoms.contains(number)) atoms[number] = RoundAtom(number, shells).densities();
    for (int l = 0; l < momenta; ++l) {
      std::vector<int> places;
      for (std::size_t i = begin; i < end; ++i) {
        if (basis.shells[i].l == l) places.push_back(first[i]);
      }
      const Eigen::MatrixXd &one = atoms[number][static_cast<std::size_t>(l)],
                            directions = all_directions(l, basis.spherical);
      for (Eigen::Index i = 0; i < one.rows(); ++i) {
        for (Eigen::Index j = 0; j < one.rows(); ++j)
          density.block(places[static_cast<std::size_t>(i)], places[static_cast<std::size_t>(j)], directions.rows(),
                        directions.rows()) = one(i, j) * directions;
      }
    }
  }
  return density;
}

}  // namespace cc
