#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "fusion/out_of_core_plan.hpp"
#include "fusion/simplify_loops.hpp"
#include "fusion/verify_loops.hpp"
#include "fusion_oracle.hpp"

namespace ricci::fusion {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// The structure of seed 003, figure 2: t[k] in memory for some j at a time.
TEST(CompilePlan, PrintsTheLoopProgramAndWhatItTakes) {
  const LoopPlan plan = plan_out_of_core(oracle::pair_example(100), 40'000, {10e6, 5e6, 0});
  EXPECT_EQ(to_string(plan),
            R"(FOR jT by 34
  t[k,jI] = 0.0
  FOR lT by 8
    B[k,lI] = Read B[k,l]
    C[jI,lI] = Read C[j,l]
    t[k,jI] += B[k,lI] * C[jI,lI]
  FOR iT by 8
    A[iI,k] = Read A[i,k]
    D[iI,jI] = t[k,jI] * A[iI,k]
    Write D[iI,jI] to D[i,j]
array             bytes read   bytes written       reads      writes
B                     240000               0          39           0
C                      80000               0          39           0
A                     240000               0          39           0
D                          0           80000           0          39
all                   560000           80000         117          39
peak 35776 bytes, disk 0.072 s, 4e+06 flops, 68 candidates
rival: t on disk: takes 0.096 s
)");
}

/// A forest whose second tree uses the root of the first one twice, under other labels.
Forest two_trees() {
  Forest forest;
  for (const char* name : {"i", "j", "k"}) forest.labels.push_back({name, 6});
  for (const char* name : {"A", "B", "S", "R"}) forest.arrays.push_back({name});
  enum : int { i, j, k };
  forest.trees = {{{{0, {i, k}}, {1, {k, j}}, {2, {i, j}, 0, 1}}}, {{{2, {i, k}}, {2, {k, j}}, {3, {i, j}, 0, 1}}}};
  return forest;
}

TEST(CompilePlan, RootsAreLeavesOfLaterTrees) {
  for (const Home home : {Home::anywhere, Home::memory}) {
    Forest forest = two_trees();
    forest.arrays[2].home = home;
    for (const std::int64_t limit : {400, 600, 2000}) {
      const LoopPlan plan = plan_out_of_core(forest, limit, {});
      EXPECT_LE(plan.counts.peak_bytes, limit);
      std::mt19937 random(7);
      const auto inputs = oracle::random_inputs(random, {forest.labels, forest.arrays, {forest.trees[0]}});
      const oracle::Run run = oracle::run(plan.program, inputs);
      EXPECT_EQ(run.arrays.at(3), oracle::evaluate(forest, inputs).at(3));
      EXPECT_EQ(run.traffic, plan.counts.arrays);
      EXPECT_LE(run.peak_bytes, plan.counts.peak_bytes);
      EXPECT_EQ(plan.counts.arrays[2].written_bytes, home == Home::memory ? 0 : 6 * 6 * 8);
    }
  }
}

TEST(CompilePlan, EverySearchComputesWhatRandomTreesSay) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Forest forest = oracle::random_forest(random, 1 + static_cast<int>(seed % 3), 5);
    const auto inputs = oracle::random_inputs(random, forest);
    const auto wanted = oracle::evaluate(forest, inputs);
    const int root = forest.trees[0].nodes.back().array;
    OutOfCoreOptions options;
    options.read_ahead = seed % 3 == 0;
    options.write_behind = seed % 6 == 0;
    options.least_tile = 1 + seed % 2;
    const std::int64_t least = least_memory(forest, options);
    for (const SearchKind search : {SearchKind::optimal, SearchKind::efficient, SearchKind::decoupled}) {
      options.search = search;
      for (const std::int64_t limit : {least, 2 * least, 5 * least, 1000 * least}) {
        LoopPlan plan;
        try {
          plan = plan_out_of_core(forest, limit, {3, 2, 0}, options);
        } catch (const ResourceError&) {  // all but the optimal search may fail
          ASSERT_NE(search, SearchKind::optimal);
          continue;
        }
        const oracle::Run run = oracle::run(plan.program, inputs);
        ASSERT_EQ(run.arrays.at(root), wanted.at(root)) << to_string(forest) << to_string(plan);
        ASSERT_EQ(run.traffic, plan.counts.arrays);
        ASSERT_LE(run.peak_bytes, plan.counts.peak_bytes);
        ASSERT_LE(plan.counts.peak_bytes, limit);
      }
    }
  }
}

TEST(CompilePlan, RefusesLimitsThatNothingKeepsTo) {
  Forest forest = oracle::matmul(10, 10, 10);
  EXPECT_EQ(least_memory(forest), 24);
  EXPECT_NO_THROW(plan_out_of_core(forest, 24, {}));
  EXPECT_THAT(
      [&] { plan_out_of_core(forest, 23, {}); },
      ThrowsMessage<ResourceError>("C[i,j] cannot be computed within 23 bytes of memory; allow at least 24 bytes"));
  forest.arrays[2].home = Home::memory;
  EXPECT_EQ(least_memory(forest), 816);
  OutOfCoreOptions options;
  options.read_ahead = true;
  EXPECT_EQ(least_memory(forest, options), 816);  // second buffers come where there is room for them
  EXPECT_NO_THROW(plan_out_of_core(forest, 816, {}, options));
  options.least_tile = 0;
  EXPECT_THAT([&] { plan_out_of_core(forest, 1000, {}, options); },
              ThrowsMessage<InputError>("the least tile is 0; at least 1 is needed"));
}

TEST(CompilePlan, ALatencyMakesRequestsLarge) {
  const Forest forest = oracle::matmul(100, 100, 100);
  const LoopPlan plan = plan_out_of_core(forest, 100'000, {1e6, 1e6, 1.0});
  const ArrayTraffic total = plan.counts.total();
  EXPECT_LE(total.reads + total.writes, 12) << to_string(plan);
  EXPECT_NEAR(plan.seconds,
              static_cast<double>(total.read_bytes + total.written_bytes) / 1e6 +
                  static_cast<double>(total.reads + total.writes),
              1e-9);
}

TEST(CompilePlan, SmallTilesRatherThanNone) {
  OutOfCoreOptions options;
  options.least_tile = 50;
  const LoopPlan plan = plan_out_of_core(oracle::matmul(100, 100, 100), 8000, {}, options);
  EXPECT_LE(plan.counts.peak_bytes, 8000);
}

TEST(CompilePlan, WhatIsNoForestIsRefused) {
  const auto refused = [](const Forest& forest, const std::string& why) {
    EXPECT_THAT([&] { check(forest); }, ThrowsMessage<InputError>(HasSubstr(why)));
  };
  const Forest good = oracle::matmul(2, 3, 4);
  EXPECT_NO_THROW(check(good));
  EXPECT_EQ(to_string(good), "C[i,j] = A[i,k] * B[k,j]\n");
  Forest bad = good;
  bad.labels[1].extent = 0;
  refused(bad, "label j has extent 0");
  bad = good;
  bad.trees[0].nodes[2].labels = {0, 0};
  refused(bad, "C[i,i] has a label twice");
  bad = good;
  bad.trees[0].nodes[1].labels = {2, 7};
  refused(bad, "B has label 7, but there are 3 labels");
  bad = good;
  bad.trees[0].nodes[1].array = 3;
  refused(bad, "node 1 names array 3");
  bad = good;
  bad.trees[0].nodes[1].labels = {2};
  refused(bad, "C[i,j] has a label that none of its operands has");
  bad = good;
  bad.trees[0].nodes[2].right = 0;
  refused(bad, "C uses node 0, which is not an unused node before it");
  bad = good;
  bad.trees[0].nodes[2].right = -1;
  bad.trees[0].nodes[2].labels = {0};
  refused(bad, "B[k,j] is computed and never used");
  bad = good;
  bad.trees[0].nodes.pop_back();
  refused(bad, "its last node is an input");
  bad = good;
  bad.trees[0].nodes[1].array = 0;
  bad.trees[0].nodes[1].labels = {2, 1};
  refused(bad, "A[i,k] and A[k,j] are one array with different extents");
  bad = good;
  bad.trees.push_back(bad.trees[0]);
  refused(bad, "C[i,j] is computed after it has been used or computed");
  bad = good;
  bad.trees[0].nodes[0].left = -1;
  bad.trees[0].nodes[0].right = 0;
  refused(bad, "uses node 0");
  bad = good;
  bad.labels.resize(64, {"x", 1});
  refused(bad, "64 labels");
  bad = good;
  bad.labels[2].extent = std::int64_t{1} << 62;
  refused(bad, "A[i,k] has more bytes than 64 bits can count");
}

/// Each of the verifier's complaints, by breaking a good program.
TEST(CompileVerify, RejectsBrokenPrograms) {
  const Forest forest = oracle::matmul(6, 6, 6);
  const Tree& tree = forest.trees[0];
  enum : int { i, j, k };
  LoopStructure structure(3);
  structure[0] = {true, 0, bit(i) | bit(j) | bit(k)};
  structure[1] = {true, 0, bit(i) | bit(j) | bit(k)};
  structure[2] = {true, bit(i) | bit(j), 0};
  const LoopProgram good = lower(forest, tree, structure, 2, {}).program;
  EXPECT_NO_THROW(verify(good));
  EXPECT_EQ(to_string(good),
            "FOR iT by 1, jT by 1\n"
            "  C[iI,jI] = 0.0\n"
            "  FOR kT by 1\n"
            "    A[iI,kI] = Read A[i,k]\n"
            "    B[kI,jI] = Read B[k,j]\n"
            "    C[iI,jI] += A[iI,kI] * B[kI,jI]\n"
            "  Write C[iI,jI] to C[i,j]\n");
  const auto refused = [&](const LoopProgram& bad, const std::string& why) {
    EXPECT_THAT([&] { verify(bad); }, ThrowsMessage<InternalError>(HasSubstr(why))) << to_string(bad);
  };
  const auto inner = [](LoopProgram& program) -> std::vector<Statement>& {  // the body of j
    return std::get<Loop>(std::get<Loop>(program.body[0].what).body[0].what).body;
  };
  LoopProgram bad = good;
  inner(bad).erase(inner(bad).begin());
  refused(bad, "C: is added to before it is cleared");
  bad = good;
  auto& in_k = std::get<Loop>(inner(bad)[1].what).body;
  in_k.erase(in_k.begin());
  refused(bad, "A: is used before it is filled");
  bad = good;
  std::swap(inner(bad)[0], std::get<Loop>(inner(bad)[1].what).body[0]);
  refused(bad, "is used outside of the loop whose tile it has");
  bad = good;
  std::get<Loop>(inner(bad)[1].what).body.push_back(inner(bad)[2]);
  refused(bad, "C: has partial sums that are written and not read back");
  bad = good;
  std::get<Loop>(inner(bad)[1].what).body.insert(std::get<Loop>(inner(bad)[1].what).body.begin(), inner(bad)[0]);
  refused(bad, "C: is cleared inside of a sum");
  bad = good;
  std::get<Contract>(std::get<Loop>(inner(bad)[1].what).body[2].what).accumulate = false;
  refused(bad, "C: is overwritten by each turn of a sum");
  bad = good;
  bad.loops[0].tile = 7;
  refused(bad, "a tile is not within its loop");
  bad = good;
  bad.body[0] = {Loop{2, {bad.body[0]}}};
  refused(bad, "is computed more than once");
  bad = good;
  for (Buffer& buffer : bad.buffers) buffer.array = buffer.array == 0 ? 2 : buffer.array;
  refused(bad, "C: is read before all of it is written");
}

}  // namespace
}  // namespace ricci::fusion
