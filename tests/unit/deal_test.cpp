#include "plan/deal.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace ricci::planning {
namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
double nothing(const std::vector<int>&) { return 0; }

TEST(Deal, TriesEveryWayOnce) {
  const std::vector<Deal> deals = deal_ranks(12, {100, 100, 100}, nothing, all);
  std::set<std::vector<int>> distinct;
  for (const Deal& deal : deals) distinct.insert(deal.parts);
  EXPECT_EQ(distinct.size(), deals.size());
  EXPECT_EQ(deals.size(), 10U * 4U);  // two twos and a three, to three labels or nobody
}

TEST(Deal, CutsNoLabelIntoMorePartsThanItHasElements) {
  for (const Deal& deal : deal_ranks(64, {3, 1, 20}, nothing, all)) {
    EXPECT_LE(deal.parts[0], 3);
    EXPECT_EQ(deal.parts[1], 1);
    EXPECT_LE(deal.parts[2], 20);
  }
  EXPECT_EQ(deal_ranks(7, {0, 1}, nothing, all).size(), 1U);
  EXPECT_EQ(deal_ranks(1, {5}, nothing, all).size(), 1U);
  EXPECT_EQ(deal_ranks(4, {}, nothing, all).size(), 1U);
}

TEST(Deal, TheBestComeFirst) {
  const auto most_of_the_second = [](const std::vector<int>& parts) { return 1.0 / parts[1]; };
  const std::vector<Deal> deals = deal_ranks(32, {40, 40}, most_of_the_second, 3);
  ASSERT_EQ(deals.size(), 3U);
  EXPECT_EQ(deals[0].parts, (std::vector<int>{1, 32}));
  EXPECT_LE(deals[0].seconds, deals[1].seconds);
  EXPECT_LE(deals[1].seconds, deals[2].seconds);
}

// Twelve labels on a million ranks: 2 x 10^8 ways.
TEST(Deal, ManyLabelsOnManyRanksAreRefinedFromPairs) {
  std::vector<std::int64_t> extents(12, 100);
  int asked = 0;
  const auto seconds = [&](const std::vector<int>& parts) {
    ++asked;
    // Best: 8 parts of each of the first four, 2 of the next eight.
    double sum = 0;
    for (std::size_t l = 0; l < parts.size(); ++l) sum += std::abs(std::log2(parts[l]) - (l < 4 ? 3 : 1));
    return sum;
  };
  const std::vector<Deal> deals = deal_ranks(1 << 20, extents, seconds, 24);
  ASSERT_FALSE(deals.empty());
  EXPECT_EQ(deals[0].seconds, 0);
  EXPECT_LT(asked, 1'000'000);
}

}  // namespace
}  // namespace ricci::planning
