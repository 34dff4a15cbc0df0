// Ranks of sorted tuples against lists of them.
#include "symmetry/packed.hpp"

#include <random>

#include <gtest/gtest.h>

#include "sorted_tuples.hpp"

namespace ricci::symmetry {
namespace {

class Packed : public testing::TestWithParam<std::tuple<bool, int, std::int64_t>> {
 protected:
  bool strict() const { return std::get<0>(GetParam()); }
  int degree() const { return std::get<1>(GetParam()); }
  std::int64_t extent() const { return std::get<2>(GetParam()); }
};

TEST_P(Packed, CountsTheSortedTuples) {
  const auto tuples = sorted_tuples(strict(), extent(), degree());
  EXPECT_EQ(packed_size(strict(), extent(), degree()), static_cast<std::int64_t>(tuples.size()));
}

TEST_P(Packed, RanksAndUnranksInColexicographicOrder) {
  const auto tuples = sorted_tuples(strict(), extent(), degree());
  for (std::size_t rank = 0; rank < tuples.size(); ++rank) {
    EXPECT_EQ(rank_sorted(strict(), tuples[rank].data(), degree()), static_cast<std::int64_t>(rank));
    Tuple found(degree(), -1);
    unrank_sorted(strict(), static_cast<std::int64_t>(rank), degree(), found.data());
    EXPECT_EQ(found, tuples[rank]);
  }
}

TEST_P(Packed, NextGoesThroughThemAll) {
  const auto tuples = sorted_tuples(strict(), extent(), degree());
  if (tuples.empty()) return;
  Tuple tuple = tuples.front();
  for (const Tuple& expected : tuples) {
    ASSERT_EQ(tuple, expected);
    next_sorted(strict(), degree(), tuple.data());
  }
  EXPECT_EQ(tuple.back(), extent()) << "beyond the last tuple, the last index leaves the range";
}

INSTANTIATE_TEST_SUITE_P(All, Packed,
                         testing::Combine(testing::Bool(), testing::Range(2, 6), testing::Range<std::int64_t>(0, 8)));

TEST(PackedOrder, RanksDoNotDependOnTheExtent) {
  for (const bool strict : {false, true}) {
    const auto small = sorted_tuples(strict, 4, 3), large = sorted_tuples(strict, 6, 3);
    EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin())) << "a smaller group is a prefix of a larger one";
  }
}

TEST(SortWithSign, AgreesWithCountingInversions) {
  for (int degree = 1; degree <= 5; ++degree) {
    for (Tuple tuple : all_tuples(5, degree)) {
      const int sign = sign_by_inversions(tuple);
      Tuple sorted = tuple;
      std::sort(sorted.begin(), sorted.end());
      ASSERT_EQ(sort_with_sign(tuple.data(), degree), sign);
      ASSERT_EQ(tuple, sorted);
    }
  }
}

TEST(PackedLocate, FindsEveryTupleOfEveryKind) {
  for (const SymmetryKind kind : {SymmetryKind::symmetric, SymmetryKind::antisymmetric, SymmetryKind::hollow}) {
    for (int degree = 2; degree <= 5; ++degree) {
      const auto stored = sorted_tuples(is_strict(kind), 4, degree);
      for (Tuple tuple : all_tuples(4, degree)) {
        const int sign = sign_by_inversions(tuple);
        Tuple sorted = tuple;
        std::sort(sorted.begin(), sorted.end());
        const PackedElement element = locate(kind, tuple.data(), degree);
        if (sign == 0 && kind != SymmetryKind::symmetric) {
          ASSERT_EQ(element.factor, 0);
          ASSERT_EQ(element.rank, 0);
          continue;
        }
        ASSERT_EQ(element.factor, kind == SymmetryKind::antisymmetric ? sign : 1);
        ASSERT_EQ(stored.at(static_cast<std::size_t>(element.rank)), sorted);
      }
    }
  }
}

// The largest groups that a shape may have: extent^degree just below 2^59.
TEST(PackedLarge, RanksAndUnranksWithoutOverflow) {
  const std::vector<std::pair<int, std::int64_t>> largest = {{2, 759250124}, {3, 832255}, {4, 27554}, {5, 3566}};
  std::mt19937_64 random(1);
  for (const auto& [degree, extent] : largest) {
    for (const bool strict : {false, true}) {
      const std::int64_t size = packed_size(strict, extent, degree).value();
      Tuple last(degree);
      for (int k = 0; k < degree; ++k) last[k] = strict ? extent - degree + k : extent - 1;
      EXPECT_EQ(rank_sorted(strict, last.data(), degree), size - 1);
      for (int trial = 0; trial < 200; ++trial) {
        const std::int64_t rank = trial == 0 ? size - 1 : static_cast<std::int64_t>(random() % size);
        Tuple tuple(degree);
        unrank_sorted(strict, rank, degree, tuple.data());
        ASSERT_TRUE(is_sorted_tuple(tuple, strict));
        ASSERT_GE(tuple.front(), 0);
        ASSERT_LT(tuple.back(), extent);
        ASSERT_EQ(rank_sorted(strict, tuple.data(), degree), rank);
      }
    }
  }
}

TEST(PackedLarge, SizesAreExactOrNothing) {
  EXPECT_EQ(packed_size(true, 1'000'000'000, 2), 499'999'999'500'000'000);
  EXPECT_EQ(packed_size(false, 1'000'000'000, 2), 500'000'000'500'000'000);
  EXPECT_EQ(packed_size(true, 64, 32), 1'832'624'140'942'590'534);  // the largest middle binomial of an even row
  EXPECT_EQ(packed_size(true, std::int64_t{1} << 40, 2), std::nullopt);
  EXPECT_EQ(packed_size(false, 5'000'000'000, 2), std::nullopt);
}

}  // namespace
}  // namespace ricci::symmetry
