// Plans for the simulated torus of bench/sim.
#include <cmath>

#include <gtest/gtest.h>

#include "plan/simulate_spreads.hpp"
#include "plan/spread.hpp"
#include "plan/spread_count.hpp"
#include "spread_case.hpp"

namespace ricci::planning {
namespace {

MachineModel simulated_torus() {
  return MachineModel::load(std::string(RICCI_UNIT_TESTS) + "/../../bench/sim/torus.json");
}

/// C[i,j,a,b] = A[i,j,k] · B[k,a,b] on a cube of ranks: labels 0 to 4 are i, j, a, b, k.
struct Map {
  const char *a, *b;
  std::vector<int> spread;
};

double seconds_of(const Map& map, int side, std::int64_t extent) {
  const Grid grid{side, side, side};
  SpreadProblem problem =
      spread_problem({{"ijab", {}, Layout::parse("i:g0 j:g1 a:g2 b:*", grid)},
                      {"ijk", {}, Layout::parse(map.a, grid)},
                      {"kab", {}, Layout::parse(map.b, grid)}},
                     {{'i', extent}, {'j', extent}, {'a', extent}, {'b', extent}, {'k', extent}}, side * side * side);
  problem.accumulate = false;
  SpreadGoal goal;
  for (int label : map.spread) goal.blocks.emplace_back(label, side);
  return choose_spread(problem, simulated_torus(), goal).seconds;
}

// Tables I and II of Rajbhandari et al.: rotation and reduction take longer than broadcasts, and these longer than what
// needs no message.
TEST(TorusSpread, RanksTheMappingsOfTheLiterature) {
  const Map rotate{"i:g0 j:g1 k:g2", "k:g2 a:g0 b:g1", {0, 1, 4}};
  const Map broadcast{"i:g0 j:g1 k:g2", "k:g1 a:g2 b:*", {0, 1, 2}};
  const Map in_place{"i:g0 j:g1 k:*", "k:* a:g2 b:*", {0, 1, 2}};
  for (const int side : {2, 4}) {
    for (const std::int64_t extent : {16, 32, 64}) {
      SCOPED_TRACE(testing::Message() << side << ' ' << extent);
      const double first = seconds_of(rotate, side, extent), second = seconds_of(broadcast, side, extent),
                   third = seconds_of(in_place, side, extent);
      EXPECT_GT(first, second);
      EXPECT_GT(second, third);
      // Nothing but arithmetic.
      const double flops = 2 * std::pow(static_cast<double>(extent), 5) / (side * side * side);
      EXPECT_NEAR(third, flops / simulated_torus().gemm_flops, 1e-3 * third);
    }
  }
}

TEST(TorusSpread, NoRivalIsBetterThanTheBest) {
  for (const int ranks : {8, 12, 16}) {
    const Spread best = choose_spread(matrix_product(96, 64, 80, ranks), simulated_torus());
    EXPECT_GT(best.seconds, 0);
    for (const Rival& rival : best.rivals) EXPECT_GE(rival.seconds, best.seconds);
  }
}

// What links carry can be had by adding up; to have messages wait for each other takes no less.
TEST(TorusSpread, SimulatedWaysTakeAtLeastWhatLinksCarry) {
  for (const int ranks : {8, 16, 27}) {
    const SpreadProblem problem = matrix_product(960, 640, 800, ranks);
    SpreadGoal goal;
    goal.simulate = false;
    Spread spread = choose_spread(problem, simulated_torus(), goal);
    const double by_links = spread.seconds;
    EXPECT_TRUE(simulate({{&problem, &spread}}, simulated_torus()));
    EXPECT_GE(spread.seconds, by_links / 1.1);
    EXPECT_LE(spread.seconds, 2 * by_links);
    EXPECT_LT(spread.local, spread.seconds);
    EXPECT_LE(choose_spread(problem, simulated_torus()).seconds, spread.seconds);
  }
}

TEST(TorusSpread, WithoutATorusNothingIsSimulated) {
  const SpreadProblem problem = matrix_product(96, 64, 80, 8);
  Spread spread = choose_spread(problem, MachineModel{});
  const double before = spread.seconds;
  EXPECT_FALSE(simulate({{&problem, &spread}}, MachineModel{}));
  EXPECT_EQ(spread.seconds, before);
}

TEST(TorusSpread, SpreadsThatRunOneAfterTheOtherTakeTheirTurns) {
  const SpreadProblem problem = matrix_product(96, 64, 80, 16);
  const Spread once = choose_spread(problem, simulated_torus());
  Spread first = once, second = once;
  EXPECT_TRUE(simulate({{&problem, &first}, {&problem, &second}}, simulated_torus()));
  // Ranks that are done with the first begin with the second, and their messages are in the others' way.
  EXPECT_GE(first.seconds, once.seconds * (1 - 1e-9));
  EXPECT_NEAR(first.seconds + second.seconds, 2 * once.seconds, 0.2 * once.seconds);
}

// Where the sorted tiles of two labels are dealt out, half of the ranks have none, and a corner has less.
TEST(TorusSpread, TheBusiestRankIsLookedAt) {
  const Symmetry pair = symmetric(0, 1);
  SpreadProblem problem = spread_problem({{"ijab", pair * symmetric(2, 3), {}},
                                          {"ikjl", pair * symmetric(2, 3), {}},
                                          {"abkl", pair * symmetric(2, 3), {}}},
                                         {{'i', 16}, {'j', 16}, {'a', 16}, {'b', 16}, {'k', 16}, {'l', 16}}, 16);
  problem.c.layout.reset();
  problem.c.stays = false;
  problem.accumulate = false;
  SpreadGoal goal;
  goal.blocks = {{2, 4}, {3, 4}};
  const Spread spread = choose_spread(problem, simulated_torus(), goal);
  const BlockContraction contraction = block_contraction(problem, spread);
  double most = 0;
  for (int rank = 0; rank < 16; ++rank) most = std::max(most, count_for_rank(contraction, rank).products);
  EXPECT_DOUBLE_EQ(spread.products, most);
}

TEST(TorusSpread, ManyRanksAreJudgedBySome) {
  const Spread spread = choose_spread(matrix_product(4096, 4096, 4096, 4096), simulated_torus());
  EXPECT_GT(spread.seconds, 0);
  EXPECT_GT(spread.words, 0);
}

}  // namespace
}  // namespace ricci::planning
