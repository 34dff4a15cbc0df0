// Plans for the simulated torus of bench/sim.
#include <cmath>

#include <gtest/gtest.h>

#include "plan/spread.hpp"
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

TEST(TorusSpread, ManyRanksAreJudgedBySome) {
  const Spread spread = choose_spread(matrix_product(4096, 4096, 4096, 4096), simulated_torus());
  EXPECT_GT(spread.seconds, 0);
  EXPECT_GT(spread.words, 0);
}

}  // namespace
}  // namespace ricci::planning
