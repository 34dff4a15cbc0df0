#pragma once
#include <deque>

#include <Eigen/Core>

namespace cc {

/// Direct inversion in the iterative subspace, Pulay 1980: of the last vectors the combination, with coefficients that
/// add up to one, whose residual is least.
class Diis {
 public:
  explicit Diis(std::size_t most = 8) : most_(most) {}

  Eigen::MatrixXd extrapolate(const Eigen::MatrixXd& vector, const Eigen::MatrixXd& residual);

 private:
  struct Step {
    Eigen::MatrixXd vector, residual;
  };
  std::size_t most_;
  std::deque<Step> steps_;
};

}  // namespace cc
