#pragma once
// DIIS (Pulay 1980) over tensors that are spread over ranks.
#include <deque>
#include <string>
#include <vector>

#include "iterate/solve.hpp"

namespace cc {

/// Remembers amplitudes t_i and what their iterations added, r_i. Extrapolates to Σ c_i (t_i + r_i), where the c_i,
/// which add up to 1, make Σ c_i r_i least.
class Diis {
 public:
  Diis(std::vector<Unknown> unknowns, int history) : unknowns_(std::move(unknowns)), history_(history) {}

  /// `given` has amplitudes t and updates r; afterwards the amplitudes are the extrapolated ones. The 2-norm of the
  /// updates. Collective.
  double extrapolate(Tensors& given);

 private:
  struct Vector {
    std::vector<ricci::Tensor<double>> amplitudes, updates;  // of the unknowns; amplitudes with the updates added
    std::vector<double> products;                            // with the updates of those before, and of itself
  };

  double product(const Vector& one, const Vector& other) const;
  std::vector<double> coefficients() const;

  std::vector<Unknown> unknowns_;
  int history_;
  std::deque<Vector> vectors_;
};

}  // namespace cc
