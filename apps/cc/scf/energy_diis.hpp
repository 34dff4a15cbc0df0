#pragma once
#include <deque>

#include <Eigen/Core>

namespace cc {

/// EDIIS, Kudin, Scuseria and Cances 2002: of the last steps the combination, with coefficients from 0 to 1 that add up
/// to one, whose density has the least energy. Slow near the end, but where DIIS wanders it goes downhill.
class EnergyDiis {
 public:
  explicit EnergyDiis(std::size_t most = 8) : most_(most) {}

  /// The Fock matrices, and densities such that the energy changes by tr(F dD).
  void add(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& density, double energy);
  Eigen::MatrixXd interpolate() const;

 private:
  struct Step {
    Eigen::MatrixXd fock, density;
    double energy = 0;
  };
  std::size_t most_;
  std::deque<Step> steps_;
};

}  // namespace cc
