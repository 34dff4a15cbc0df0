#include "iterate/diis.hpp"

#include <cmath>
#include <utility>

#include <Eigen/Dense>

namespace cc {

using ricci::Tensor;

namespace {

std::string all_modes(const Tensor<double>& tensor) {
  return std::string("abcdefghijklmnop").substr(0, static_cast<std::size_t>(tensor.order()));
}

}  // namespace

double Diis::product(const Vector& one, const Vector& other) const {
  double sum = 0;
  for (std::size_t u = 0; u < unknowns_.size(); ++u) sum += unknowns_[u].weight * one.updates[u].dot(other.updates[u]);
  return sum;
}

double Diis::extrapolate(Tensors& given) {
  // The oldest one leaves its memory to the new one.
  Vector now;
  if (static_cast<int>(vectors_.size()) == history_) {
    now = std::move(vectors_.front());
    now.products.clear();
    vectors_.pop_front();
    for (Vector& vector : vectors_) {
      if (!vector.products.empty()) vector.products.erase(vector.products.begin());
    }
  }
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    Tensor<double>& amplitude = given.at(unknowns_[u].amplitude);
    const Tensor<double>& update = given.at(unknowns_[u].update);
    amplitude[all_modes(amplitude)] += update[all_modes(update)];
    if (now.updates.size() <= u) {
      now.updates.push_back(update);
      now.amplitudes.push_back(amplitude);
    } else {
      now.updates[u][all_modes(update)] = update[all_modes(update)];
      now.amplitudes[u][all_modes(amplitude)] = amplitude[all_modes(amplitude)];
    }
  }
  vectors_.push_back(std::move(now));
  for (const Vector& vector : vectors_) vectors_.back().products.push_back(product(vectors_.back(), vector));
  const double norm = std::sqrt(vectors_.back().products.back());
  if (vectors_.size() < 2) return norm;
  const std::vector<double> factors = coefficients();
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    Tensor<double>& amplitude = given.at(unknowns_[u].amplitude);
    const std::string modes = all_modes(amplitude);
    ricci::Expression sum;
    for (std::size_t v = 0; v < vectors_.size(); ++v) sum += factors[v] * vectors_[v].amplitudes[u][modes];
    amplitude[modes] = sum;
  }
  return norm;
}

/// B c = λ, Σ c = 1, scaled so that what has become small does not vanish beside what was large.
std::vector<double> Diis::coefficients() const {
  const auto n = static_cast<Eigen::Index>(vectors_.size());
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(n + 1, n + 1);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j)
      b(i, j) = b(j, i) = vectors_[static_cast<std::size_t>(i)].products[static_cast<std::size_t>(j)];
  }
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(n + 1);
  for (Eigen::Index i = 0; i < n; ++i) scale(i) = 1 / std::sqrt(std::max(b(i, i), 1e-300));
  b = scale.asDiagonal() * b * scale.asDiagonal();
  for (Eigen::Index i = 0; i < n; ++i) b(i, n) = b(n, i) = scale(i);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
  right(n) = 1;
  const Eigen::VectorXd solved = scale.asDiagonal() * b.fullPivLu().solve(right).eval();
  const double sum = solved.head(n).sum();
  std::vector<double> result;
  for (Eigen::Index i = 0; i < n; ++i) result.push_back(solved(i) / sum);
  return result;
}

}  // namespace cc
