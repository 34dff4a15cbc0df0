// Contractions whose sizes cross the blocks of the kernels, against a plain dense loop.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "check_property.hpp"
#include "dice.hpp"

namespace ricci_test {
namespace {

using ricci::Tensor;

// Integers: every sum below is exact in single precision too, so results are compared for equality.
template <class T>
T small_integer(Dice& dice) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(dice.between(-4, 4));
  } else {
    using Real = typename T::value_type;
    return T(static_cast<Real>(dice.between(-4, 4)), static_cast<Real>(dice.between(-4, 4)));
  }
}

template <class T>
std::vector<T> random_integers(Dice& dice, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = small_integer<T>(dice);
  return values;
}

// A matrix seen with either order of its modes.
template <class T>
struct Matrix {
  std::vector<T> values;
  std::int64_t row_stride, column_stride;
  T at(std::int64_t i, std::int64_t j) const {
    return values[static_cast<std::size_t>(i * row_stride + j * column_stride)];
  }
};

template <class T>
Matrix<T> random_matrix(Dice& dice, std::int64_t rows, std::int64_t columns, bool transposed) {
  return {random_integers<T>(dice, rows * columns), transposed ? 1 : columns, transposed ? rows : 1};
}

template <class T>
std::vector<T> product(const Matrix<T>& a, const Matrix<T>& b, std::int64_t m, std::int64_t n, std::int64_t k) {
  std::vector<T> c(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t j = 0; j < n; ++j) c[static_cast<std::size_t>(i * n + j)] += a.at(i, l) * b.at(l, j);
    }
  }
  return c;
}

struct Sizes {
  std::int64_t m, n, k;
};

template <class T>
void check_matrix_product(const Sizes& sizes, std::uint64_t seed, int threads) {
  const auto [m, n, k] = sizes;
  Dice dice(seed);
  const bool ta = dice.chance(50), tb = dice.chance(50), tc = dice.chance(50);
  const auto a = random_matrix<T>(dice, m, k, ta), b = random_matrix<T>(dice, k, n, tb);
  ricci::World world;
  world.set_options(ricci::Options{.memory_limit = 0, .threads = threads});
  const auto make = [&world](std::int64_t rows, std::int64_t columns, bool transposed) {
    return Tensor<T>(world, transposed ? ricci::Extents{columns, rows} : ricci::Extents{rows, columns});
  };
  Tensor<T> A = make(m, k, ta), B = make(k, n, tb), C = make(m, n, tc);
  A.assign_dense(a.values);
  B.assign_dense(b.values);
  C[tc ? "ji" : "ij"] = A[ta ? "ki" : "ik"] * B[tb ? "jk" : "kj"];
  const std::vector<T> wanted = product(a, b, m, n, k), got = C.gather();
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const T value = got[static_cast<std::size_t>(tc ? j * m + i : i * n + j)];
      ASSERT_EQ(value, wanted[static_cast<std::size_t>(i * n + j)])
          << "at " << i << ',' << j << " of m n k = " << m << ' ' << n << ' ' << k << ", transposed " << ta << tb << tc;
    }
  }
}

template <class T>
class BlockedContraction : public ::testing::Test {};
using ElementTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockedContraction, ElementTypes);

TYPED_TEST(BlockedContraction, SizesAroundTheBlocks) {
  const std::vector<std::int64_t> around = {1, 7, 8, 9, 23, 24, 25, 47, 49};
  std::uint64_t seed = 0;
  for (const std::int64_t m : around) {
    for (const std::int64_t n : around) {
      for (const std::int64_t k : {std::int64_t{1}, std::int64_t{8}, std::int64_t{25}}) {
        ASSERT_NO_FATAL_FAILURE(check_matrix_product<TypeParam>({m, n, k}, ++seed, 1));
      }
    }
  }
}

TYPED_TEST(BlockedContraction, LongSumsAndLargeSides) {
  const std::vector<Sizes> cases = {{9, 7, 300},  {1, 1, 5000}, {49, 47, 257}, {200, 200, 300}, {1, 1000, 3},
                                    {1000, 1, 3}, {3, 500, 1},  {257, 5, 129}, {130, 260, 2},   {5, 130, 600}};
  std::uint64_t seed = 100;
  for (const Sizes& sizes : cases) {
    for (const int threads : {1, 2}) {
      ASSERT_NO_FATAL_FAILURE(check_matrix_product<TypeParam>(sizes, ++seed, threads));
    }
  }
}

TYPED_TEST(BlockedContraction, AnyMatrixProduct) {
  check_property(40, [] {
    const auto size = rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(1, 121));
    const Sizes sizes{*size, *size, *size};
    check_matrix_product<TypeParam>(sizes, *rc::gen::arbitrary<std::uint32_t>(), *rc::gen::inRange(1, 3));
    RC_ASSERT(!::testing::Test::HasFatalFailure());
  });
}

// C[ab,ij] = A[ab,kl] B[kl,ij] with every pair folded: packed pairs of 12 to 25 are 66 to 325 long.
TYPED_TEST(BlockedContraction, FoldedPairs) {
  const auto pairs = [](bool minus) {
    return minus ? ricci::antisymmetric(0, 1) * ricci::antisymmetric(2, 3)
                 : ricci::symmetric(0, 1) * ricci::symmetric(2, 3);
  };
  for (const bool minus : {true, false}) {
    for (const auto& [m, n, k] : {std::tuple{7, 5, 6}, std::tuple{9, 4, 13}, std::tuple{4, 8, 12}}) {
      const ricci::World world;
      Tensor<TypeParam> A(world, {m, m, k, k}, pairs(minus)), B(world, {k, k, n, n}, pairs(minus));
      Tensor<TypeParam> C(world, {m, m, n, n}, pairs(minus));
      Dice dice(static_cast<std::uint64_t>(m));
      A.fill([&dice](ricci::Index) { return small_integer<TypeParam>(dice); });
      B.fill([&dice](ricci::Index) { return small_integer<TypeParam>(dice); });
      C["abij"] = A["abkl"] * B["klij"];
      const Matrix<TypeParam> a{A.gather(), k * k, 1}, b{B.gather(), n * n, 1};
      EXPECT_EQ(C.gather(), product<TypeParam>(a, b, m * m, n * n, k * k)) << m << ' ' << n << ' ' << k;
    }
  }
}

// A symmetric matrix from a plain product: both cosets.
TYPED_TEST(BlockedContraction, SymmetrisedProduct) {
  for (const std::int64_t n : {8, 25, 49, 97}) {
    const ricci::World world;
    Dice dice(7);
    const auto a = random_matrix<TypeParam>(dice, n, 31, false), b = random_matrix<TypeParam>(dice, 31, n, true);
    Tensor<TypeParam> A(world, {n, 31}), B(world, {n, 31}), S(world, {n, n}, ricci::symmetric(0, 1));
    Tensor<TypeParam> N(world, {n, n}, ricci::antisymmetric(0, 1));
    A.assign_dense(a.values);
    B.assign_dense(b.values);
    S["ij"] = A["ik"] * B["jk"];
    N["ij"] = A["ik"] * B["jk"];
    const auto c = product(a, b, n, n, 31), s = S.gather(), d = N.gather();
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const auto ij = static_cast<std::size_t>(i * n + j), ji = static_cast<std::size_t>(j * n + i);
        ASSERT_EQ(s[ij], c[ij] + c[ji]) << i << ',' << j;
        ASSERT_EQ(d[ij], c[ij] - c[ji]) << i << ',' << j;
      }
    }
  }
}

}  // namespace
}  // namespace ricci_test
