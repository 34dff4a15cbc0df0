#include "scf/orthogonal_basis.hpp"

#include <span>

#include <Eigen/Eigenvalues>

#include "ranks/ranks.hpp"

namespace cc {
namespace {

void broadcast(Eigen::MatrixXd& matrix) { ranks::broadcast({matrix.data(), static_cast<std::size_t>(matrix.size())}); }

void broadcast(Eigen::VectorXd& vector) { ranks::broadcast({vector.data(), static_cast<std::size_t>(vector.size())}); }

}  // namespace

OrthogonalBasis orthogonal_basis(const Eigen::MatrixXd& overlap, double threshold) {
  const Eigen::Index n = overlap.rows();
  const Orbitals own = orbitals_of(overlap, Eigen::MatrixXd::Identity(n, n));
  const Eigen::Index removed = (own.energies.array() < threshold).count();
  const Eigen::MatrixXd vectors = own.coefficients.rightCols(n - removed);
  const Eigen::VectorXd scales = own.energies.tail(n - removed).cwiseSqrt().cwiseInverse();
  OrthogonalBasis basis{.functions = vectors * scales.asDiagonal(),
                        .removed = static_cast<int>(removed),
                        .smallest = own.energies(removed)};
  if (removed == 0) basis.functions = (basis.functions * vectors.transpose()).eval();
  broadcast(basis.functions);
  return basis;
}

Orbitals orbitals_of(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& basis) {
  Orbitals orbitals{.coefficients = Eigen::MatrixXd::Zero(basis.rows(), basis.cols()),
                    .energies = Eigen::VectorXd::Zero(basis.cols())};
  if (ranks::rank() == 0) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    orbitals.coefficients = basis * solver.eigenvectors();
    orbitals.energies = solver.eigenvalues();
  }
  broadcast(orbitals.coefficients);
  broadcast(orbitals.energies);
  return orbitals;
}

}  // namespace cc
