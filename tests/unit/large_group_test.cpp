// Packed triples that are too large for a table (kernels/group_table.hpp) are located element by element. The random
// tests have extents that all fit one.
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "shared_world.hpp"

namespace ricci {
namespace {

constexpr std::int64_t n = 70;  // n^3 > 2^18
constexpr std::array<std::array<int, 3>, 6> permutations{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}}};
int sign_of(int permutation) { return permutation < 3 ? 1 : -1; }

class LargeGroup : public testing::TestWithParam<SymmetryKind> {
 protected:
  Symmetry triple() const {
    switch (GetParam()) {
      case SymmetryKind::symmetric:
        return symmetric(0, 1, 2);
      case SymmetryKind::antisymmetric:
        return antisymmetric(0, 1, 2);
      case SymmetryKind::hollow:
        return hollow(0, 1, 2);
    }
    return {};
  }
};

TEST_P(LargeGroup, OperandIsUnpacked) {
  const World& world = shared_world();
  Tensor<double> s(world, {n, n, n}, triple()), m(world, {n, 2}), y(world, {n, n, 2});
  s.fill_random(1);
  m.fill_random(2);
  y["abc"] = s["adb"] * m["dc"];
  const auto dense = s.gather(), right = m.gather(), result = y.gather();
  for (std::int64_t a = 0; a < n; ++a) {
    for (std::int64_t b = 0; b < n; ++b) {
      for (std::int64_t c = 0; c < 2; ++c) {
        double sum = 0;
        for (std::int64_t d = 0; d < n; ++d) sum += dense[(a * n + d) * n + b] * right[d * 2 + c];
        ASSERT_NEAR(result[(a * n + b) * 2 + c], sum, 1e-12) << a << ' ' << b << ' ' << c;
      }
    }
  }
}

TEST_P(LargeGroup, OutputIsSymmetrised) {
  const World& world = shared_world();
  Tensor<double> p(world, {n, n, n}, triple()), x(world, {n, n}), v(world, {n});
  x.fill_random(3);
  v.fill_random(4);
  p["abc"] = x["ca"] * v["b"];
  const auto matrix = x.gather(), vector = v.gather(), result = p.gather();
  const bool strict = GetParam() != SymmetryKind::symmetric;
  for (std::int64_t a = 0; a < n; ++a) {
    for (std::int64_t b = 0; b < n; ++b) {
      for (std::int64_t c = 0; c < n; ++c) {
        const std::array<std::int64_t, 3> index{a, b, c};
        double sum = 0;
        for (int q = 0; q < 6; ++q) {
          const auto& at = permutations[q];
          const double sign = GetParam() == SymmetryKind::antisymmetric ? sign_of(q) : 1;
          sum += sign * matrix[index[at[2]] * n + index[at[0]]] * vector[index[at[1]]];
        }
        if (strict && (a == b || b == c || a == c)) sum = 0;
        ASSERT_NEAR(result[(a * n + b) * n + c], sum, 1e-12) << a << ' ' << b << ' ' << c;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LargeGroup,
                         testing::Values(SymmetryKind::symmetric, SymmetryKind::antisymmetric, SymmetryKind::hollow));

}  // namespace
}  // namespace ricci
