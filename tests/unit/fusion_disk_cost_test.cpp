#include <gtest/gtest.h>

#include "fusion/disk_cost.hpp"
#include "fusion_oracle.hpp"

namespace ricci::fusion {
namespace {

enum : int { i, j, k, l };

/// The example of seed 003, section 4: X[i,j,k] under g = <ij> and g' = <il>.
TEST(CompileDiskCost, TheExampleOfSection4) {
  Forest forest;
  forest.labels = {{"i", 10}, {"j", 20}, {"k", 30}, {"l", 40}};
  const LabelSet x = bit(i) | bit(j) | bit(k), g = bit(i) | bit(j), other = bit(i) | bit(l);
  const std::vector<std::int64_t> tiles = {5, 4, 3, 8};
  EXPECT_EQ(fused_dimens(x, g), bit(i) | bit(j));
  EXPECT_EQ(unfused_dimens(x, g), bit(k));
  EXPECT_EQ(extra_loops(x, g), LabelSet{0});
  EXPECT_EQ(write_factor(x, g, Between::produce_and_write), 1);
  EXPECT_EQ(mem_usage(forest, x, g, tiles), 5 * 4 * 30);
  EXPECT_EQ(disk_cost(forest, x, g, Between::produce_and_write, tiles), 10 * 20 * 30);

  EXPECT_EQ(mem_usage(forest, x, other, tiles), 5 * 20 * 30);
  EXPECT_EQ(disk_cost(forest, x, other, Between::read_and_consume, tiles), 10 * 20 * 30 * (40 / 8));
  EXPECT_TRUE(leq_mem_usage(x, g, other));
  EXPECT_TRUE(leq_disk_cost(x, g, other));
  EXPECT_FALSE(leq_mem_usage(x, other, g));
  EXPECT_FALSE(leq_disk_cost(x, other, g));
}

TEST(CompileDiskCost, PartialSumsAreReadBack) {
  const LabelSet x = bit(i) | bit(j), all = bit(i) | bit(j) | bit(k);
  EXPECT_EQ(write_factor(x, all, Between::produce_and_write), 2);
  EXPECT_EQ(write_factor(x, all, Between::read_and_consume), 1);
  EXPECT_EQ(write_factor(x, x, Between::produce_and_write), 1);
}

}  // namespace
}  // namespace ricci::fusion
