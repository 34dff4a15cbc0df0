#include "scf/energy_diis.hpp"

#include <limits>
#include <vector>

#include <Eigen/LU>

namespace cc {
namespace {

struct Minimum {
  Eigen::VectorXd coefficients;
  double value = std::numeric_limits<double>::infinity();
};

/// Where sum_i c_i e_i - 1/2 sum_{i<j} c_i c_j m_ij is stationary, sum_i c_i = 1, for the steps of a subset alone;
/// nothing where a coefficient is negative there.
Minimum stationary(const Eigen::VectorXd& e, const Eigen::MatrixXd& m, const std::vector<Eigen::Index>& subset) {
  const auto n = static_cast<Eigen::Index>(subset.size());
  Eigen::MatrixXd equations = Eigen::MatrixXd::Zero(n + 1, n + 1);
  equations.topLeftCorner(n, n) = -0.5 * m(subset, subset);
  equations.topRightCorner(n, 1).setOnes();
  equations.bottomLeftCorner(1, n).setOnes();
  Eigen::VectorXd right(n + 1);
  right << -e(subset), 1;
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(equations);
  if (!lu.isInvertible()) return {};
  const Eigen::VectorXd c = lu.solve(right).head(n);
  if (!(c.minCoeff() >= 0)) return {};
  Minimum minimum{.coefficients = Eigen::VectorXd::Zero(e.size()), .value = 0};
  minimum.coefficients(subset) = c;
  minimum.value = e(subset).dot(c) - 0.25 * c.dot(m(subset, subset) * c);
  return minimum;
}

}  // namespace

void EnergyDiis::add(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& density, double energy) {
  if (steps_.size() == most_) steps_.pop_front();
  steps_.push_back({fock, density, energy});
}

// The energy of a combination is quadratic in its coefficients, with m_ij = tr((F_i - F_j)(D_i - D_j)). Its minimum is
// a stationary point of one of the faces of the simplex: there are at most 255.
Eigen::MatrixXd EnergyDiis::interpolate() const {
  const auto n = static_cast<Eigen::Index>(steps_.size());
  Eigen::VectorXd energies(n);
  Eigen::MatrixXd m(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Step& a = steps_[static_cast<std::size_t>(i)];
    energies(i) = a.energy - steps_.back().energy;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Step& b = steps_[static_cast<std::size_t>(j)];
      m(i, j) = (a.fock - b.fock).cwiseProduct(a.density - b.density).sum();
    }
  }
  Minimum best;
  for (unsigned subset = 1; subset < (1U << n); ++subset) {
    std::vector<Eigen::Index> members;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (subset & (1U << i)) members.push_back(i);
    }
    if (Minimum here = stationary(energies, m, members); here.value < best.value) best = std::move(here);
  }
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(steps_.back().fock.rows(), steps_.back().fock.cols());
  for (Eigen::Index i = 0; i < n; ++i) sum += best.coefficients(i) * steps_[static_cast<std::size_t>(i)].fock;
  return sum;
}

}  // namespace cc
