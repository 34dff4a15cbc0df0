#include "methods/from_fcidump.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <ricci/error.hpp>

#include "ranks/ranks.hpp"

namespace cc {

using ricci::Tensor;

namespace {

void check(const Fcidump& dump, int frozen_core) {
  if (dump.spin != 0)
    throw ricci::InputError(
        fmt::format("MS2={}: of Hamiltonians from files there are closed shells, those with MS2=0", dump.spin));
  const int occupied = dump.electrons / 2;
  if (occupied == 0 || occupied == dump.orbitals)
    throw ricci::InputError(
        fmt::format("{} electrons in {} orbitals: there is nothing to correlate", dump.electrons, dump.orbitals));
  if (frozen_core < 0 || frozen_core >= occupied)
    throw ricci::InputError(
        fmt::format("--frozen-core {}: of {} occupied orbitals some have to stay: freeze at most {} orbitals",
                    frozen_core, occupied, occupied - 1));
}

/// sum_k 2 (pq|kk) - (pk|kq), k occupied. A few k at a time: what is cut out for them is small, and has no symmetry.
Eigen::MatrixXd repulsion_of(const Tensor<double>& mo, std::int64_t occupied) {
  constexpr std::int64_t at_once = 8;
  const std::int64_t n = mo.extents()[0];
  Tensor<double> sum(mo.world(), {n, n});
  for (std::int64_t first = 0; first < occupied; first += at_once) {
    const std::int64_t last = std::min(first + at_once, occupied);
    const Tensor<double> coulomb = mo.slice({0, 0, first, first}, {n, n, last, last});
    const Tensor<double> exchange = mo.slice({0, first, 0, first}, {n, last, n, last});
    sum["pq"] += 2 * coulomb["pqkk"];
    sum["pq"] -= exchange["pkqk"];
  }
  const std::vector<double> values = sum.gather();
  return Eigen::Map<const Eigen::MatrixXd>(values.data(), n, n);  // symmetric: rows or columns first
}

struct SemicanonicalOrbitals {
  Eigen::MatrixXd coefficients;  ///< in those of the dump
  Eigen::VectorXd energies;
};

SemicanonicalOrbitals semicanonical(const Eigen::MatrixXd& fock, Eigen::Index occupied) {
  const Eigen::Index n = fock.rows();
  SemicanonicalOrbitals orbitals{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd(n)};
  for (const auto& [first, count] : {std::pair(Eigen::Index{0}, occupied), std::pair(occupied, n - occupied)}) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(fock.block(first, first, count, count));
    orbitals.coefficients.block(first, first, count, count) = solver.eigenvectors();
    orbitals.energies.segment(first, count) = solver.eigenvalues();
  }
  // Processors that differ may turn degenerate orbitals differently.
  ranks::broadcast({orbitals.coefficients.data(), static_cast<std::size_t>(n * n)});
  ranks::broadcast({orbitals.energies.data(), static_cast<std::size_t>(n)});
  return orbitals;
}

/// Denominators would vanish or change their signs.
void check_order(double highest_occupied, double lowest_virtual) {
  if (lowest_virtual - highest_occupied > 1e-6) return;
  throw ricci::InputError(
      fmt::format("the first NELEC/2 orbitals are not the lowest: one of them has the energy {:.6f}, one of the others "
                  "{:.6f} Hartree; sort the orbitals, or dump those of Hartree-Fock",
                  highest_occupied, lowest_virtual));
}

}  // namespace

Determinant determinant_of(Fcidump dump, int frozen_core) {
  check(dump, frozen_core);
  const Eigen::Index n = dump.orbitals, occupied = dump.electrons / 2;
  const Eigen::MatrixXd& h = dump.one_electron;
  const Eigen::MatrixXd fock = h + repulsion_of(dump.two_electron, occupied);
  SemicanonicalOrbitals orbitals = semicanonical(fock, occupied);
  check_order(orbitals.energies(occupied - 1), orbitals.energies(occupied));
  const Eigen::MatrixXd correlated = orbitals.coefficients.rightCols(n - frozen_core);
  const Eigen::Index left = occupied - frozen_core;

  const double energy = dump.core_energy + (h + fock).diagonal().head(occupied).sum();
  Determinant result{{.integrals = Held(std::move(dump.two_electron)),
                      .orbitals = correlated,
                      .energies = orbitals.energies.tail(n - frozen_core),
                      .occupied = left,
                      .fov = correlated.leftCols(left).transpose() * fock * correlated.rightCols(n - occupied)},
                     energy,
                     orbitals.energies,
                     static_cast<int>(occupied)};
  return result;
}

double largest_fov(const ClosedShellReference& reference) {
  return reference.fov.size() == 0 ? 0 : reference.fov.cwiseAbs().maxCoeff();
}

}  // namespace cc
