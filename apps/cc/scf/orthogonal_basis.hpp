#pragma once
#include <Eigen/Core>

namespace cc {

struct OrthogonalBasis {
  Eigen::MatrixXd functions;  ///< X, one a column: X^T S X = 1
  int removed = 0;
  double smallest = 1;  ///< eigenvalue of the overlap among those kept: products with X X^T lose so many digits
};

/// Lowdin's symmetric orthogonalisation; where eigenvalues of the overlap are below the threshold, canonical without
/// those. The same on all ranks (collective).
OrthogonalBasis orthogonal_basis(const Eigen::MatrixXd& overlap, double threshold = 1e-7);

struct Orbitals {
  Eigen::MatrixXd coefficients;
  Eigen::VectorXd energies;
};

/// Of a symmetric matrix in an orthonormal basis, as combinations of the functions of that basis. Collective: rank 0
/// has the say, since another machine might round differently.
Orbitals orbitals_of(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& basis);

}  // namespace cc
