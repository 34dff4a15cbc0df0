#include "iterate/diis.hpp"

#include <cmath>
#include <utility>

#include <Eigen/Dense>

#include "store/algebra.hpp"

namespace cc {

Diis::Vector Diis::next() {
  Vector now;
  if (static_cast<int>(vectors_.size()) < history_) return now;
  now = std::move(vectors_.front());
  now.products.clear();
  vectors_.pop_front();
  for (Vector& vector : vectors_) {
    if (!vector.products.empty()) vector.products.erase(vector.products.begin());
  }
  return now;
}

std::map<std::string, Held*> Diis::names_of(Vector& vector) {
  std::map<std::string, Held*> result;
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    result[unknowns_[u].amplitude] = &vector.amplitudes[u];
    result[unknowns_[u].update] = &vector.updates[u];
  }
  return result;
}

std::map<std::string, Held*> Diis::newest() { return names_of(vectors_.back()); }

std::map<std::string, Held*> Diis::add(const Tensors& given) {
  Vector& vector = vectors_.emplace_back();
  for (const Unknown& unknown : unknowns_) {
    const Held& amplitude = given.at(unknown.amplitude);
    vector.amplitudes.push_back(store_.make(amplitude.extents(), amplitude.symmetry()));
    vector.updates.push_back(store_.make(amplitude.extents(), amplitude.symmetry()));
  }
  return names_of(vector);
}

void Diis::restored() {
  for (std::size_t v = 0; v < vectors_.size(); ++v) vectors_[v].products = products_of(v);
}

std::vector<double> Diis::products_of(std::size_t vector) {
  std::vector<double> sums(vector + 1, 0.0);
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    std::vector<Held*> others;
    for (std::size_t v = 0; v <= vector; ++v) others.push_back(&vectors_[v].updates[u]);
    const std::vector<double> products = dots(store_, vectors_[vector].updates[u], others);
    for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += unknowns_[u].weight * products[v];
  }
  return sums;
}

double Diis::extrapolate(Tensors& given) {
  Vector now = next();
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    Held& amplitude = given.at(unknowns_[u].amplitude);
    Held& update = given.at(unknowns_[u].update);
    if (now.updates.size() <= u) {
      now.updates.push_back(store_.make(update.extents(), update.symmetry()));
      now.amplitudes.push_back(store_.make(amplitude.extents(), amplitude.symmetry()));
    }
    std::swap(now.updates[u], update);
    assign_sum(store_, now.amplitudes[u], {{1, &amplitude}, {1, &now.updates[u]}});
  }
  vectors_.push_back(std::move(now));
  vectors_.back().products = products_of(vectors_.size() - 1);
  const double norm = std::sqrt(vectors_.back().products.back());
  const std::vector<double> factors = vectors_.size() < 2 ? std::vector<double>{1.0} : coefficients();
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    std::vector<Scaled> sum;
    for (std::size_t v = 0; v < vectors_.size(); ++v) sum.push_back({factors[v], &vectors_[v].amplitudes[u]});
    assign_sum(store_, given.at(unknowns_[u].amplitude), sum);
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
