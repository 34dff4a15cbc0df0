#include "kernels/micro_kernel.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ricci/error.hpp>

namespace ricci::kernels {
namespace {

using Index = std::int64_t;

template <class T>
constexpr bool is_complex = sizeof(T) != sizeof(Real<T>);

template <class T>
T random_value(std::mt19937& generator) {
  std::uniform_real_distribution<Real<T>> uniform(-1, 1);
  if constexpr (is_complex<T>) {
    const Real<T> re = uniform(generator);
    return {re, uniform(generator)};
  } else {
    return uniform(generator);
  }
}

template <class T>
std::vector<T> random_values(Index count, std::mt19937& generator) {
  std::vector<T> values(count);
  for (T& value : values) value = random_value<T>(generator);
  return values;
}

struct Shape {
  int vectors, columns;
  Index depth;
  Index a_gap;  // unused reals between the steps of a
  Index b_step, b_column;
  bool accumulate;
};

std::string describe(const char* isa, const Shape& s) {
  return std::string(isa) + " vectors " + std::to_string(s.vectors) + " columns " + std::to_string(s.columns) +
         " depth " + std::to_string(s.depth) + " a_gap " + std::to_string(s.a_gap) + " b_step " +
         std::to_string(s.b_step) + " b_column " + std::to_string(s.b_column) +
         (s.accumulate ? " accumulate" : " overwrite");
}

// Rows, column order and padding of x are irregular; what is no part of the tile must survive.
template <class T>
void check(const MicroKernels<T>& kernels, const Shape& s) {
  SCOPED_TRACE(describe(kernels.isa, s));
  std::mt19937 generator(static_cast<unsigned>(s.depth * 1000 + s.vectors * 100 + s.columns));
  const Index rows = Index{s.vectors} * kernels.lanes;
  const Index a_step = rows * (is_complex<T> ? 2 : 1) + s.a_gap;
  const Index b_size = (s.depth + 1) * s.b_step + s.columns * s.b_column;
  const auto a = random_values<Real<T>>(s.depth * a_step + 1, generator);
  const auto b = random_values<T>(b_size + 1, generator);
  const T alpha = random_value<T>(generator);
  const Index ld = rows + 3;
  auto x = random_values<T>(ld * s.columns + 1, generator);
  if (!s.accumulate) {
    // Overwriting must not read: NaN would spread.
    for (T& value : x) value = std::numeric_limits<Real<T>>::quiet_NaN();
  }
  std::vector<Index> x_column(s.columns);
  for (int j = 0; j < s.columns; ++j) x_column[j] = 1 + (s.columns - 1 - j) * ld;
  const auto before = x;

  // The offset of one element leaves no operand aligned to a vector.
  const Real<T>* const a0 = a.data() + 1;
  const T* const b0 = b.data() + 1;
  kernels.at(s.vectors, s.columns)(s.depth, a0, a_step, b0, s.b_step, s.b_column, alpha,
                                   s.accumulate ? Store::accumulate : Store::overwrite, x.data(), x_column.data(),
                                   Ahead{b0, 64, -64});

  const Real<T> tolerance = static_cast<Real<T>>(8 * (s.depth + 1)) * std::numeric_limits<Real<T>>::epsilon();
  for (int j = 0; j < s.columns; ++j) {
    for (Index i = 0; i < rows; ++i) {
      T sum{};
      for (Index k = 0; k < s.depth; ++k) {
        const Real<T>* const step = a0 + k * a_step;
        if constexpr (is_complex<T>) {
          sum += T(step[i], step[rows + i]) * b0[k * s.b_step + j * s.b_column];
        } else {
          sum += step[i] * b0[k * s.b_step + j * s.b_column];
        }
      }
      const T expected = (s.accumulate ? before[x_column[j] + i] : T{}) + alpha * sum;
      const T actual = x[x_column[j] + i];
      ASSERT_LE(std::abs(actual - expected), tolerance) << "row " << i << " column " << j;
    }
    for (Index i = rows; i < ld && x_column[j] + i < static_cast<Index>(x.size()); ++i) {
      const T& kept = before[x_column[j] + i];
      const T& actual = x[x_column[j] + i];
      ASSERT_TRUE(s.accumulate ? actual == kept : actual != actual) << "padding " << i;
    }
  }
}

template <class T>
class MicroKernelTest : public testing::Test {};

using Elements = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MicroKernelTest, Elements);

TYPED_TEST(MicroKernelTest, EveryTileMatchesTheTripleLoop) {
  for (Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
    if (!isa_available(isa)) continue;
    const auto& kernels = micro_kernels_for<TypeParam>(isa);
    EXPECT_STREQ(kernels.isa, isa_name(isa));
    for (int vectors = 1; vectors <= kernels.max_vectors; ++vectors) {
      for (int columns = 1; columns <= kernels.max_columns; ++columns) {
        for (Index depth : {0, 1, 2, 5, 17}) {
          for (bool accumulate : {false, true}) {
            const Index packed = columns;
            check(kernels, {vectors, columns, depth, 0, packed, 1, accumulate});
            check(kernels, {vectors, columns, depth, 0, packed + 5, 1, accumulate});
            check(kernels, {vectors, columns, depth, 7, 1, depth + 3, accumulate});
            check(kernels, {vectors, columns, depth, 7, 29, 2, accumulate});
            if (this->HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TYPED_TEST(MicroKernelTest, ChosenKernelsAreOfTheBestSetOrWeaker) {
  const auto& kernels = micro_kernels<TypeParam>();
  EXPECT_EQ(&kernels, &micro_kernels<TypeParam>());
  EXPECT_GE(kernels.max_vectors, 1);
  EXPECT_GE(kernels.max_columns, 1);
}

TEST(ChooseIsa, TakesTheBestUnlessAWeakerOneIsRequested) {
  const Isa best = choose_isa(nullptr);
  EXPECT_TRUE(isa_available(best));
  EXPECT_EQ(choose_isa(""), best);
  EXPECT_EQ(choose_isa("base"), Isa::base);
  EXPECT_EQ(choose_isa("avx512"), best);
}

TEST(ChooseIsa, RejectsUnknownNames) {
  try {
    choose_isa("sse9");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "RICCI_ISA is \"sse9\"; give base, avx2 or avx512");
  }
}

}  // namespace
}  // namespace ricci::kernels
