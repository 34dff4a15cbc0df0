// Integrals against closed formulas, and against each other.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "gaussians.hpp"
#include "integrals/one_electron.hpp"
#include "integrals/two_electron.hpp"

using namespace cc;

namespace {

const std::vector<Gaussian> some = {{0.3, {0, 0, 0}}, {1.7, {0, 0.5, -1.2}}, {42, {1.1, -0.4, 0.3}}, {0.8, {3, 6, -5}}};

Molecule molecule_of(const std::vector<Gaussian>& gaussians) {
  Molecule molecule;
  int number = 1;
  for (const Gaussian& gaussian : gaussians) molecule.atoms.push_back({.number = number++, .at = gaussian.at});
  return molecule;
}

/// Functions of one primitive each.
BasisSet basis_of(const std::vector<Gaussian>& gaussians, int l) {
  BasisSet basis{.name = "a test's", .spherical = false, .shells = {}};
  for (std::size_t i = 0; i < gaussians.size(); ++i)
    basis.shells.push_back(
        {.atom = static_cast<int>(i), .l = l, .exponents = {gaussians[i].exponent}, .coefficients = {1}});
  return basis;
}

std::vector<double> all_of(const TwoElectron& integrals) {
  const std::int64_t n = integrals.functions();
  std::vector<double> all(static_cast<std::size_t>(n * n * n * n));
  integrals.block({0, 0, 0, 0}, {n, n, n, n}, all.data());
  return all;
}

/// A p function is the derivative of an s function with respect to its centre, over sqrt(exponent).
template <class F>
double along(const Gaussian& gaussian, std::size_t direction, F f) {
  const double scale = std::sqrt(gaussian.exponent), step = 0.03 / scale;
  const auto at = [&](double steps) {
    Gaussian moved = gaussian;
    moved.at[direction] += steps * step;
    return f(moved);
  };
  return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step * scale);
}

}  // namespace

TEST(Integrals, OfOneElectronInSFunctions) {
  const Molecule molecule = molecule_of(some);
  const BasisSet basis = basis_of(some, 0);
  const Eigen::MatrixXd s = overlap(molecule, basis), t = kinetic(molecule, basis),
                        v = nuclear_attraction(molecule, basis);
  for (int p = 0; p < 4; ++p) {
    for (int q = 0; q < 4; ++q) {
      const Gaussian &a = some[static_cast<std::size_t>(p)], &b = some[static_cast<std::size_t>(q)];
      EXPECT_NEAR(s(p, q), overlap_of(a, b), 1e-14);
      EXPECT_NEAR(t(p, q), kinetic_of(a, b), 1e-12);
      double attraction = 0;
      for (const Atom& atom : molecule.atoms) attraction += atom.number * attraction_of(a, b, atom.at);
      EXPECT_NEAR(v(p, q), attraction, 1e-12);
    }
  }
}

TEST(Integrals, OfTwoElectronsInSFunctions) {
  const std::vector<double> all = all_of({molecule_of(some), basis_of(some, 0)});
  const double* value = all.data();
  for (const Gaussian& a : some) {
    for (const Gaussian& b : some) {
      for (const Gaussian& c : some) {
        for (const Gaussian& d : some) EXPECT_NEAR(*value++, repulsion_of(a, b, c, d), 1e-13);
      }
    }
  }
}

TEST(Integrals, OfPairsFarApartAreNotLost) {
  // The pair of the first two is so small that its own repulsion is nothing, but not that with the third.
  const std::vector<Gaussian> far = {{1, {0, 0, 0}}, {1, {0, 0, 6}}, {1, {0, 0, 3}}};
  const double small = repulsion_of(far[0], far[1], far[2], far[2]);
  ASSERT_LT(repulsion_of(far[0], far[1], far[0], far[1]), 1e-14);
  const std::vector<double> all = all_of({molecule_of(far), basis_of(far, 0)});
  ASSERT_GT(small, 1e-9);
  EXPECT_NEAR(all[1 * 9 + 2 * 3 + 2], small, 1e-14);  // (01|22)
}

TEST(Integrals, OfPFunctionsAreDerivatives) {
  const Molecule molecule = molecule_of(some);
  const BasisSet basis = basis_of(some, 1);
  const Eigen::MatrixXd s = overlap(molecule, basis);
  const std::vector<double> all = all_of({molecule, basis});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double overlap_here = along(some[0], i, [&](const Gaussian& a) {
        return along(some[1], j, [&](const Gaussian& b) { return overlap_of(a, b); });
      });
      EXPECT_NEAR(s(static_cast<int>(i), static_cast<int>(3 + j)), overlap_here, 1e-6);
      const double repulsion = along(some[0], i, [&](const Gaussian& a) {
        return along(some[1], j, [&](const Gaussian& b) {
          return along(some[1], i, [&](const Gaussian& c) {
            return along(some[2], j, [&](const Gaussian& d) { return repulsion_of(a, b, c, d); });
          });
        });
      });
      const std::size_t at = ((i * 12 + 3 + j) * 12 + 3 + i) * 12 + 6 + j;
      EXPECT_NEAR(all[at], repulsion, 1e-6);
    }
  }
}

TEST(Integrals, OfNormalisedFunctions) {
  const Molecule molecule = molecule_of({some[0]});
  for (int l = 0; l <= 5; ++l) {
    BasisSet basis{.name = "a test's", .spherical = true, .shells = {}};
    basis.shells.push_back({.atom = 0, .l = l, .exponents = {0.4, 2.5}, .coefficients = {0.3, 0.9}});
    const Eigen::MatrixXd s = overlap(molecule, basis);
    EXPECT_LT((s - Eigen::MatrixXd::Identity(2 * l + 1, 2 * l + 1)).cwiseAbs().maxCoeff(), 1e-13) << l;
  }
}
