#pragma once
// Integrals over s functions in closed form, from textbooks; those over others follow by moving the centres.
#include <array>
#include <cmath>
#include <numbers>

/// A normalised primitive.
struct Gaussian {
  double exponent = 1;
  std::array<double, 3> at = {};
};

/// What the product of two is: K exp(-p |r - P|^2).
struct Product {
  double p, k;
  std::array<double, 3> at;

  Product(const Gaussian& a, const Gaussian& b) : p(a.exponent + b.exponent), k(1), at{} {
    double distance = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      distance += (a.at[i] - b.at[i]) * (a.at[i] - b.at[i]);
      at[i] = (a.exponent * a.at[i] + b.exponent * b.at[i]) / p;
    }
    k = std::pow(4 * a.exponent * b.exponent / (std::numbers::pi * std::numbers::pi), 0.75) *
        std::exp(-a.exponent * b.exponent / p * distance);
  }
};

inline double squared_distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

inline double boys(double t) {
  return t < 1e-12 ? 1 - t / 3 : 0.5 * std::sqrt(std::numbers::pi / t) * std::erf(std::sqrt(t));
}

inline double overlap_of(const Gaussian& a, const Gaussian& b) {
  const Product ab(a, b);
  return ab.k * std::pow(std::numbers::pi / ab.p, 1.5);
}

inline double kinetic_of(const Gaussian& a, const Gaussian& b) {
  const double mu = a.exponent * b.exponent / (a.exponent + b.exponent);
  return mu * (3 - 2 * mu * squared_distance(a.at, b.at)) * overlap_of(a, b);
}

/// With a charge of one.
inline double attraction_of(const Gaussian& a, const Gaussian& b, const std::array<double, 3>& nucleus) {
  const Product ab(a, b);
  return -2 * std::numbers::pi / ab.p * ab.k * boys(ab.p * squared_distance(ab.at, nucleus));
}

inline double repulsion_of(const Gaussian& a, const Gaussian& b, const Gaussian& c, const Gaussian& d) {
  const Product ab(a, b), cd(c, d);
  return 2 * std::pow(std::numbers::pi, 2.5) / (ab.p * cd.p * std::sqrt(ab.p + cd.p)) * ab.k * cd.k *
         boys(ab.p * cd.p / (ab.p + cd.p) * squared_distance(ab.at, cd.at));
}
