#include <algorithm>
#include <array>
#include <cmath>

#include "plan/spread.hpp"

namespace ricci::planning {

using symmetry::Role;

// Of a product of matrices with sides m >= n >= k on p ranks a rank has to do with at least D words, of which it has
// its share (Demmel et al., IPDPS 2013; Irony, Toledo and Tiskin 2004 for equal sides). Batches are products side by
// side.
double lower_bound_words(const SpreadProblem& problem) {
  const auto size = [&](Role role) { return std::max(1.0, static_cast<double>(problem.fold.size(role))); };
  std::array<double, 3> side{size(Role::row), size(Role::column), size(Role::summed)};
  std::sort(side.begin(), side.end(), std::greater<>());
  const auto [m, n, k] = side;
  const double p = std::max(1.0, problem.ranks / std::min<double>(problem.ranks, size(Role::batch)));
  const double share = (m * n + m * k + n * k) / p;
  double touched = 0;
  if (p <= m / n) {
    touched = (m * n + m * k) / p + n * k;
  } else if (p <= m * n / (k * k)) {
    touched = 2 * std::sqrt(m * n * k * k / p) + m * n / p;
  } else {
    touched = 3 * std::pow(m * n * k / p, 2.0 / 3.0);
  }
  return std::max(0.0, touched - share);
}

}  // namespace ricci::planning
