#include "fusion/refine_tiles.hpp"

#include <gtest/gtest.h>

#include "fusion/out_of_core_plan.hpp"
#include "fusion/simplify_loops.hpp"
#include "fusion/verify_loops.hpp"
#include "fusion_oracle.hpp"

namespace ricci::fusion {
namespace {

constexpr DiskModel disk{10e6, 5e6, 0};

/// All that a search has decided stays: what is computed, memory, disk time. Only the cost gets less.
TEST(RefineTiles, RandomProgramsStayRightAndGetCheaper) {
  int cheaper = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Forest forest = oracle::random_forest(random, 1 + static_cast<int>(seed % 4), 6);
    const std::int64_t limit = least_memory(forest) * (4 + static_cast<int>(seed % 9));
    OutOfCoreOptions options;
    options.search = SearchKind::efficient;
    LoopPlan plan = plan_out_of_core(forest, limit, disk, options);
    std::vector<double> weight(plan.program.loops.size());
    for (double& w : weight) w = static_cast<double>(random() % 100);
    const auto cost = [&](const LoopProgram& program) {
      double sum = 1;
      for (std::size_t l = 0; l < weight.size(); ++l)
        sum += weight[l] * static_cast<double>(program.trips(static_cast<int>(l)));
      return sum;
    };
    const double before = cost(plan.program);
    const std::int64_t resident = resident_bytes(plan.program);
    refine_tiles(plan.program, static_cast<double>(limit - resident), disk, cost);
    const double after = cost(plan.program);
    EXPECT_LE(after, before);
    cheaper += after < before ? 1 : 0;
    simplify(plan.program);
    ASSERT_NO_THROW(verify(plan.program)) << to_string(plan.program);
    const LoopCounts counts = count(plan.program);
    EXPECT_LE(counts.peak_bytes, limit) << to_string(plan.program);
    EXPECT_LE(seconds(counts, disk), plan.seconds * (1 + 1e-9)) << to_string(plan.program);
    const auto inputs = oracle::random_inputs(random, forest);
    const oracle::Run run = oracle::run(plan.program, inputs);
    const int root = forest.trees[0].nodes.back().array;
    EXPECT_EQ(run.arrays.at(root), oracle::evaluate(forest, inputs).at(root)) << to_string(plan.program);
    EXPECT_EQ(run.traffic, counts.arrays);
  }
  EXPECT_GT(cheaper, 50);
}

/// Two loops change at once where memory is full: one shrinks so that the other may grow.
TEST(RefineTiles, MemoryGoesFromOneLoopToAnother) {
  const LoopPlan plan = plan_out_of_core(oracle::four_index(20, 24), 400'000, disk);
  int fewer = 0;
  for (std::size_t wanted = 0; wanted < plan.program.loops.size(); ++wanted) {
    const int loop = static_cast<int>(wanted);
    if (plan.program.trips(loop) == 1) continue;
    LoopProgram program = plan.program;
    refine_tiles(program, 400'000, disk, [&](const LoopProgram& tried) {
      double others = 0;
      for (std::size_t l = 0; l < tried.loops.size(); ++l)
        others += static_cast<double>(tried.trips(static_cast<int>(l)));
      return 1000 * static_cast<double>(tried.trips(loop)) + others;
    });
    fewer += program.trips(loop) < plan.program.trips(loop) ? 1 : 0;
    EXPECT_LE(count(program).peak_bytes, 400'000);
  }
  EXPECT_GT(fewer, 1);
}

}  // namespace
}  // namespace ricci::fusion
