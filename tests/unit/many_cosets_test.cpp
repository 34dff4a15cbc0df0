// Output groups with more cosets than an operand can be read: they are sorted out at the output instead.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "shared_world.hpp"

namespace ricci {
namespace {

/// Σ over all permutations of the labels, with the sign where asked: the definition, for one element.
double sum_over_permutations(const std::vector<double>& unpacked, std::int64_t extent, Index index, bool with_sign) {
  std::vector<int> order(index.size());
  std::iota(order.begin(), order.end(), 0);
  double sum = 0;
  do {
    std::int64_t key = 0;
    int inversions = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      key = key * extent + index[order[i]];
      for (std::size_t j = i + 1; j < order.size(); ++j) inversions += order[i] > order[j];
    }
    sum += (with_sign && inversions % 2 == 1 ? -1 : 1) * unpacked[key];
  } while (std::next_permutation(order.begin(), order.end()));
  return sum;
}

void check(std::int64_t extent, bool anti) {
  const std::vector<int> modes{0, 1, 2, 3, 4, 5, 6};
  const Extents extents(7, extent);
  Tensor<double> out(shared_world(), extents, anti ? antisymmetric(modes) : symmetric(modes));
  Tensor<double> in(shared_world(), extents, anti ? antisymmetric(2, 5) : symmetric(2, 5));
  in.fill_random(3);
  out["abcdefg"] = in["abcdefg"];
  const std::vector<double> unpacked = in.gather();
  int number = 0;
  out.for_each_local([&](Index index, double value) {
    if (number++ % 7 != 0) return;
    // The pair that the operand has by itself is counted once: 7! / 2 cosets.
    EXPECT_NEAR(value, sum_over_permutations(unpacked, extent, index, anti) / 2, 1e-9);
  });
}

TEST(ManyCosets, SymmetricOfOrderSeven) { check(3, false); }
TEST(ManyCosets, AntisymmetricOfOrderSeven) { check(8, true); }

TEST(ManyCosets, SymmetricOfOrderSixteen) {
  std::vector<int> modes(16);
  std::iota(modes.begin(), modes.end(), 0);
  const std::string labels = "abcdefghijklmnop";
  Tensor<double> out(shared_world(), Extents(16, 2), symmetric(modes)), in(shared_world(), Extents(16, 2));
  in.fill(1.0);
  out[labels] = in[labels];
  EXPECT_EQ(out.stored_size(), 17);
  out.for_each_local([](Index, double value) { EXPECT_DOUBLE_EQ(value, std::tgamma(17.0)); });
}

}  // namespace
}  // namespace ricci
