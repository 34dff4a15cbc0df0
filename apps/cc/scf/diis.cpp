#include "scf/diis.hpp"

#include <Eigen/QR>

namespace cc {

// | B  1 | | c |   | 0 |
// | 1  0 | | m | = | 1 |, with B_ij = r_i . r_j, scaled since residuals span many orders of magnitude.
Eigen::MatrixXd Diis::extrapolate(const Eigen::MatrixXd& vector, const Eigen::MatrixXd& residual) {
  if (steps_.size() == most_) steps_.pop_front();
  steps_.push_back({vector, residual});
  const auto n = static_cast<Eigen::Index>(steps_.size());
  const double scale = residual.squaredNorm();
  if (n == 1 || scale == 0) return vector;
  Eigen::MatrixXd equations = Eigen::MatrixXd::Zero(n + 1, n + 1);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Eigen::MatrixXd &a = steps_[static_cast<std::size_t>(i)].residual,
                            &b = steps_[static_cast<std::size_t>(j)].residual;
      equations(i, j) = equations(j, i) = a.cwiseProduct(b).sum() / scale;
    }
    equations(i, n) = equations(n, i) = 1;
  }
  const Eigen::VectorXd solution =
      equations.completeOrthogonalDecomposition().solve(Eigen::VectorXd::Unit(n + 1, n)).eval();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(vector.rows(), vector.cols());
  for (Eigen::Index i = 0; i < n; ++i) sum += solution(i) * steps_[static_cast<std::size_t>(i)].vector;
  return sum;
}

}  // namespace cc
