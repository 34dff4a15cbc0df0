// Phases that were packed come out as they were.
#include "plan/packed_phases.hpp"

#include <gtest/gtest.h>

#include "spread_case.hpp"

namespace ricci::planning {
namespace {

Words words_of(const layout::Redistribution& moves) {
  Words words;
  WordWriter writer(words);
  moves.write(writer);
  return words;
}

void expect_same(const std::vector<Range>& x, const std::vector<Range>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].begin, y[i].begin);
    EXPECT_EQ(x[i].size, y[i].size);
  }
}

void expect_same(const std::vector<TileMessage>& x, const std::vector<TileMessage>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].peer, y[i].peer);
    EXPECT_EQ(x[i].size, y[i].size);
    EXPECT_EQ(x[i].at, y[i].at);
    EXPECT_EQ(x[i].round, y[i].round);
    expect_same(x[i].ranges, y[i].ranges);
    expect_same(x[i].passed_on, y[i].passed_on);
    expect_same(x[i].forwarded, y[i].forwarded);
  }
}

void expect_same(const TilePlace& x, const TilePlace& y) {
  EXPECT_EQ(x.where, y.where);
  EXPECT_EQ(x.begin, y.begin);
}

void expect_same(const Phase& x, const Phase& y) {
  for (int operand : {0, 1}) {
    expect_same(x.sends[operand], y.sends[operand]);
    expect_same(x.receives[operand], y.receives[operand]);
    EXPECT_EQ(x.fetched[operand], y.fetched[operand]);
    ASSERT_EQ(x.cut_anew[operand] == nullptr, y.cut_anew[operand] == nullptr);
    if (x.cut_anew[operand]) {
      EXPECT_EQ(words_of(*x.cut_anew[operand]), words_of(*y.cut_anew[operand]));
    }
  }
  ASSERT_EQ(x.operations.size(), y.operations.size());
  for (std::size_t i = 0; i < x.operations.size(); ++i) {
    const TileOperation &one = x.operations[i], &other = y.operations[i];
    EXPECT_EQ(one.operation, other.operation);
    EXPECT_EQ(one.operand, other.operand);
    EXPECT_EQ(one.factor, other.factor);
    EXPECT_EQ(one.accumulate, other.accumulate);
    expect_same(one.out, other.out);
    expect_same(one.a, other.a);
    expect_same(one.b, other.b);
  }
}

/// The leanest way and some others.
void check(const SpreadProblem& problem) {
  for (const std::int64_t most : {0, 5000, 50'000}) {
    const BlockContraction contraction =
        block_contraction(problem, choose_spread(problem, MachineModel{}, {.most_buffers = most}));
    for (int rank = 0; rank < problem.ranks; ++rank) {
      const BlockProgram program = make_program(contraction, rank);
      const PackedPhases packed(program.phases);
      ASSERT_EQ(packed.count(), program.phases.size());
      PackedPhases::Reader reader(packed);
      for (const Phase& phase : program.phases) {
        const auto unpacked = reader.next();
        ASSERT_TRUE(unpacked);
        expect_same(phase, *unpacked);
      }
      EXPECT_FALSE(reader.next());
    }
  }
}

TEST(PackedPhases, OfMatrixProducts) {
  for (int ranks : {2, 4, 6}) check(matrix_product(96, 80, 112, ranks));
}

TEST(PackedPhases, OfAnAntisymmetricLadder) {
  const Symmetry pairs = antisymmetric(0, 1) * antisymmetric(2, 3);
  check(spread_problem({{"abij", pairs, {}}, {"abef", pairs, {}}, {"efij", pairs, {}}},
                       {{'a', 12}, {'b', 12}, {'e', 12}, {'f', 12}, {'i', 6}, {'j', 6}}, 4));
}

TEST(PackedPhases, TakeLittle) {
  const SpreadProblem problem = matrix_product(512, 512, 512, 4);
  const Spread spread = choose_spread(problem, MachineModel{}, {.most_buffers = 0});
  ASSERT_GE(spread.phases, 32);
  const BlockProgram program = make_program(block_contraction(problem, spread), 1);
  std::int64_t bytes = 0;
  for (const Phase& phase : program.phases) bytes += phase.table_bytes();
  EXPECT_LE(PackedPhases(program.phases).bytes(), bytes / 4);
}

}  // namespace
}  // namespace ricci::planning
