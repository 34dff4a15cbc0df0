// (pq|rs) as boxes, tensors and matrices: all of them are the same integrals.
#include "integrals/two_electron.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>
#include <ricci/ricci.hpp>

#include "cases.hpp"

using namespace cc;

namespace {

using Indices = std::array<std::int64_t, 4>;

const Molecule& water() { return case_named("h2o_sto-3g").molecule; }

std::vector<double> box(const TwoElectron& integrals, const Indices& lo, const Indices& hi) {
  std::vector<double> out(
      static_cast<std::size_t>((hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]) * (hi[3] - lo[3])), -1);
  integrals.block(lo, hi, out.data());
  return out;
}

std::vector<double> all_of(const TwoElectron& integrals) {
  const std::int64_t n = integrals.functions();
  return box(integrals, {0, 0, 0, 0}, {n, n, n, n});
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// Something symmetric.
Eigen::MatrixXd density_of(Eigen::Index n, double phase) {
  Eigen::MatrixXd matrix(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) matrix(i, j) = std::sin(phase + 0.7 * static_cast<double>(i + j));
  }
  return matrix;
}

void expect_plain_sums(TwoElectron& integrals) {
  const Eigen::Index n = integrals.functions();
  const std::vector<double> all = all_of(integrals);
  const std::vector<Eigen::MatrixXd> densities = {density_of(n, 0.1), density_of(n, 1.4)};
  const CoulombExchange sums = integrals.coulomb_exchange(densities);
  Eigen::MatrixXd j = Eigen::MatrixXd::Zero(n, n);
  std::vector<Eigen::MatrixXd> k(2, j);
  const double* value = all.data();
  for (Eigen::Index p = 0; p < n; ++p) {
    for (Eigen::Index q = 0; q < n; ++q) {
      for (Eigen::Index r = 0; r < n; ++r) {
        for (Eigen::Index s = 0; s < n; ++s, ++value) {
          j(p, q) += *value * (densities[0](r, s) + densities[1](r, s));
          for (std::size_t d = 0; d < 2; ++d) k[d](p, r) += *value * densities[d](q, s);
        }
      }
    }
  }
  EXPECT_LT((sums.coulomb - j).cwiseAbs().maxCoeff(), 1e-11);
  for (std::size_t d = 0; d < 2; ++d) EXPECT_LT((sums.exchange[d] - k[d]).cwiseAbs().maxCoeff(), 1e-11);
}

}  // namespace

TEST(TwoElectron, BlocksHaveAllPermutations) {
  const TwoElectron integrals(water(), load_basis("cc-pvdz", water(), true));
  const std::int64_t n = integrals.functions();
  const std::vector<double> all = all_of(integrals);
  // One box without any symmetry of its own for each value of the first index: nothing is copied in there.
  std::vector<double> plain;
  for (std::int64_t p = 0; p < n; ++p) {
    for (std::int64_t r = 0; r < n; ++r) {
      for (std::int64_t s = 0; s < n; ++s) {
        const std::vector<double> line = box(integrals, {p, 0, r, s}, {p + 1, n, r + 1, s + 1});
        for (std::int64_t q = 0; q < n; ++q)
          ASSERT_NEAR(line[static_cast<std::size_t>(q)], all[static_cast<std::size_t>(((p * n + q) * n + r) * n + s)],
                      1e-14);
      }
    }
  }
}

TEST(TwoElectron, BlocksCutThroughShells) {
  const TwoElectron integrals(water(), load_basis("cc-pvdz", water(), false), {.threads = 2});
  const std::int64_t n = integrals.functions();
  const std::vector<double> all = all_of(integrals);
  const std::vector<std::array<Indices, 2>> boxes = {
      {{{3, 3, 5, 5}, {9, 9, 17, 17}}},   {{{4, 1, 4, 1}, {12, 11, 12, 11}}}, {{{0, 7, 2, 2}, {13, 8, 25, 25}}},
      {{{6, 6, 6, 6}, {14, 14, 14, 14}}}, {{{6, 6, 0, 3}, {14, 14, 9, 25}}},  {{{5, 5, 5, 5}, {5, 8, 8, 8}}}};
  for (const auto& [lo, hi] : boxes) {
    std::vector<double> expected;
    for (std::int64_t p = lo[0]; p < hi[0]; ++p) {
      for (std::int64_t q = lo[1]; q < hi[1]; ++q) {
        for (std::int64_t r = lo[2]; r < hi[2]; ++r) {
          for (std::int64_t s = lo[3]; s < hi[3]; ++s)
            expected.push_back(all[static_cast<std::size_t>(((p * n + q) * n + r) * n + s)]);
        }
      }
    }
    EXPECT_LT(largest_difference(box(integrals, lo, hi), expected), 1e-14) << testing::PrintToString(lo);
  }
}

TEST(TwoElectronOnRanks, TensorHasTheIntegrals) {
  for (const bool spherical : {true, false}) {
    TwoElectron integrals(water(), load_basis("cc-pvdz", water(), spherical), {.threads = 2});
    const std::vector<double> all = all_of(integrals);
    const ricci::World world;
    EXPECT_LT(largest_difference(integrals.tensor(world).gather(), all), 1e-14);
    const Eigen::Index n = integrals.functions();
    integrals.coulomb_exchange(std::vector<Eigen::MatrixXd>{Eigen::MatrixXd::Identity(n, n)});
    EXPECT_GT(integrals.kept_bytes(), 0);
    EXPECT_LT(largest_difference(integrals.tensor(world).gather(), all), 1e-14) << "from what is kept";
    integrals.forget();
    EXPECT_EQ(integrals.kept_bytes(), 0);
    EXPECT_LT(largest_difference(integrals.tensor(world).gather(), all), 1e-14);
  }
}

TEST(TwoElectronOnRanks, MatricesArePlainSums) {
  const BasisSet basis = load_basis("6-31g**", water(), true);
  for (const int threads : {1, 3}) {
    for (const std::int64_t memory : {0, 1, 40000}) {  // all kept, nothing, a part
      TwoElectron integrals(water(), basis, {.threads = threads, .memory_bytes = memory});
      expect_plain_sums(integrals);
      expect_plain_sums(integrals);  // from what is kept
      if (memory > 0) {
        EXPECT_LE(integrals.kept_bytes(), memory);
      }
    }
  }
}

TEST(TwoElectron, SaysWhatTheLibraryCannotDo) {
  BasisSet basis{.name = "huge", .spherical = true, .shells = {}};
  basis.shells.push_back({.atom = 0, .l = 7, .exponents = {1}, .coefficients = {1}});
  EXPECT_THAT(
      [&] { TwoElectron(water(), basis); },
      testing::ThrowsMessage<ricci::InputError>(testing::HasSubstr("huge has functions of angular momentum 7")));
}
