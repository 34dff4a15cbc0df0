// The numbers of seed 003: tables 2 and 3, and the disk volume of a matrix product.
#include <chrono>
#include <cmath>

#include <gtest/gtest.h>

#include "fusion/out_of_core_plan.hpp"
#include "fusion_oracle.hpp"

namespace ricci::fusion {
namespace {

const DiskModel table_2_disk{15.4e6, 10.5e6, 0};

LoopPlan plan(const Forest& forest, std::int64_t limit, SearchKind search) {
  OutOfCoreOptions options;
  options.search = search;
  return plan_out_of_core(forest, limit, table_2_disk, options);
}

/// Table 2: T2 on disk, 100 MB, by array.
TEST(CompileSeedTables, Table2) {
  Forest forest = oracle::four_index(70, 80);
  forest.arrays[2].home = forest.arrays[6].home = Home::memory;
  forest.arrays[4].home = Home::disk;
  const LoopPlan best = plan(forest, 100'000'000, SearchKind::optimal);
  const auto time = [&](int array) {
    const ArrayTraffic& traffic = best.counts.arrays[static_cast<std::size_t>(array)];
    return static_cast<double>(traffic.read_bytes) / 15.4e6 + static_cast<double>(traffic.written_bytes) / 10.5e6;
  };
  EXPECT_NEAR(time(0), 21.3, 0.05);
  EXPECT_NEAR(time(8), 18.25, 0.05);
  EXPECT_NEAR(time(4), 40.14, 0.1);
  EXPECT_LE(time(1) + time(3) + time(5) + time(7), 0.052);
  EXPECT_LE(best.seconds, 79.8);
  EXPECT_LE(best.counts.peak_bytes, 100'000'000);
}

struct Table3 {
  std::int64_t a, p, megabytes;
  double integrated, factor;  // the paper's
  /// What the memory-minimal loops take with the best tiles for them. The paper's baseline had other tiles.
  double decoupled;
};

void PrintTo(const Table3& row, std::ostream* out) {
  *out << "a=" << row.a << " p=" << row.p << " " << row.megabytes << " MB";
}

class CompileTable3 : public testing::TestWithParam<Table3> {};

TEST_P(CompileTable3, IntegratedSearchesKeepToThePapersTimes) {
  const Table3 row = GetParam();
  const Forest forest = oracle::four_index(row.a, row.p);
  const std::int64_t limit = row.megabytes * 1'000'000;
  const auto start = std::chrono::steady_clock::now();
  const LoopPlan optimal = plan(forest, limit, SearchKind::optimal);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 20.0);
  const LoopPlan efficient = plan(forest, limit, SearchKind::efficient);
  const LoopPlan decoupled = plan(forest, limit, SearchKind::decoupled);
  for (const LoopPlan* each : {&optimal, &efficient, &decoupled}) EXPECT_LE(each->counts.peak_bytes, limit);
  EXPECT_TRUE(optimal.exhaustive);
  EXPECT_LE(optimal.seconds, row.integrated);
  EXPECT_LE(efficient.seconds, row.integrated);
  EXPECT_LE(optimal.seconds, efficient.seconds * (1 + 1e-9));
  EXPECT_NEAR(decoupled.seconds, row.decoupled, 1e-3 * row.decoupled);
  EXPECT_GE(decoupled.seconds / optimal.seconds, row.factor);
}

// Three factors are below the paper's, 2.52, 5.70 and 4.45: with the best tiles its baseline is less far behind.
INSTANTIATE_TEST_SUITE_P(
    Seed003, CompileTable3,
    testing::Values(Table3{70, 80, 100, 74.8, 1.35, 82.23}, Table3{70, 80, 500, 39.6, 1.00, 39.59},
                    Table3{70, 80, 2000, 39.6, 1.00, 39.58}, Table3{200, 300, 100, 8510, 8.70, 82725},
                    Table3{200, 300, 500, 8510, 4.30, 36628}, Table3{200, 300, 2000, 8510, 2.10, 17883},
                    Table3{500, 600, 100, 2.31e5, 24.0, 1.1667e7}, Table3{500, 600, 500, 2.31e5, 15.5, 5.1837e6},
                    Table3{500, 600, 2000, 2.12e5, 10.14, 2.5784e6}));

TEST(CompileSeedTables, TwoPassesOverABeatAnIntermediateOnDisk) {
  const LoopPlan best = plan(oracle::four_index(70, 80), 100'000'000, SearchKind::optimal);
  EXPECT_NEAR(best.seconds, 60.86, 0.005);  // A twice and B once; the paper has T3 on disk: 74.7 s
}

class CompileMatmul : public testing::TestWithParam<bool> {};

TEST_P(CompileMatmul, DiskWordsAreNearTheLowerBound) {
  constexpr double n = 12000;
  for (const std::int64_t limit : {512'000'000, 536'870'912}) {
    OutOfCoreOptions options;
    options.read_ahead = GetParam();
    options.least_tile = 64;
    const LoopPlan best = plan_out_of_core(oracle::matmul(12000, 12000, 12000), limit, {}, options);
    const ArrayTraffic total = best.counts.total();
    const double words = static_cast<double>(total.read_bytes + total.written_bytes) / 8;
    EXPECT_LE(words, 1.3 * (2 * n * n * n / std::sqrt(static_cast<double>(limit) / 8) + n * n)) << to_string(best);
    EXPECT_LE(best.counts.peak_bytes, limit);
    for (const TileLoop& loop : best.program.loops) EXPECT_GE(loop.tile, 64);
  }
}
INSTANTIATE_TEST_SUITE_P(ReadAhead, CompileMatmul, testing::Bool());

TEST(CompileSeedTables, LittleMemoryKeepsTheResultOfAMatrixProduct) {
  for (const double words : {300.0, 3000.0, 30000.0}) {  // from 2 mnk / sqrt(M) up
    const LoopPlan best = plan_out_of_core(oracle::matmul(500, 400, 600), static_cast<std::int64_t>(8 * words), {});
    const ArrayTraffic total = best.counts.total();
    const double bound = 2 * 500.0 * 400 * 600 / std::sqrt(words) + 500 * 400;
    EXPECT_LE(static_cast<double>(total.read_bytes + total.written_bytes) / 8, 1.25 * bound) << to_string(best);
    EXPECT_EQ(total.written_bytes, 8 * 500 * 400);
  }
}

}  // namespace
}  // namespace ricci::fusion
