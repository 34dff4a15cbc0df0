#include "plan/forced_blocks.hpp"

#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "spread_case.hpp"

namespace ricci::planning {
namespace {

notation::BoundStatement statement() {
  notation::BoundStatement statement;
  statement.label_names = {"i", "j", "k"};
  statement.extents = {8, 8, 8};
  return statement;
}

TEST(ForcedBlocks, AreLabelsAndRanks) {
  EXPECT_TRUE(parse_blocks("", statement(), 8).empty());
  EXPECT_TRUE(parse_blocks("i:2 z:2", statement(), 8).empty());
  EXPECT_EQ(parse_blocks("k:2 i:4", statement(), 8), (std::vector<std::pair<int, int>>{{2, 2}, {0, 4}}));
}

TEST(ForcedBlocks, SayWhatIsWrong) {
  EXPECT_THROW(parse_blocks("i", statement(), 8), InputError);
  EXPECT_THROW(parse_blocks("i:two", statement(), 8), InputError);
  EXPECT_THROW(parse_blocks("i:0", statement(), 8), InputError);
  EXPECT_THROW(parse_blocks("i:2 i:2", statement(), 8), InputError);
  EXPECT_THROW(parse_blocks("i:16", statement(), 16), InputError);
  EXPECT_THROW(parse_blocks("i:3", statement(), 8), InputError);
}

TEST(ForcedBlocks, AreTaken) {
  const SpreadProblem problem = matrix_product(64, 64, 64, 8);  // labels i, j, k
  const SpreadGoal goal{.blocks = {{2, 4}, {1, 2}}};
  const Spread spread = choose_spread(problem, MachineModel{}, goal);
  EXPECT_EQ(spread.blocks.grid(), Grid({4, 2}));
  EXPECT_EQ(spread.blocks.mapping(), (std::vector<std::vector<int>>{{}, {1}, {0}}));
  const SpreadGoal for_others{.blocks = {{7, 4}}};
  EXPECT_EQ(choose_spread(problem, MachineModel{}, for_others).blocks, choose_spread(problem, MachineModel{}).blocks);
}

}  // namespace
}  // namespace ricci::planning
