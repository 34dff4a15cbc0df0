// How contractions are spread over ranks: what must hold for every choice, and what the choices are called.
#include "plan/spread.hpp"

#include <cmath>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "plan/classify.hpp"
#include "random_distribution.hpp"
#include "spread_case.hpp"

namespace ricci::planning {
namespace {

const Symmetry pairs = antisymmetric(0, 1) * antisymmetric(2, 3);

std::string name_of(const SpreadProblem& problem) {
  return name_of_algorithm(problem, choose_spread(problem, MachineModel{}));
}

SpreadProblem ladder(std::int64_t particles, std::int64_t holes, int ranks) {
  return spread_problem(
      {{"abij", pairs, {}}, {"abef", pairs, {}}, {"efij", pairs, {}}},
      {{'a', particles}, {'b', particles}, {'e', particles}, {'f', particles}, {'i', holes}, {'j', holes}}, ranks);
}

/// Problems of several kinds in layouts at random.
std::vector<SpreadProblem> some_problems() {
  std::vector<SpreadProblem> problems;
  for (int ranks : {1, 2, 4, 6, 8, 12}) {
    layout::Random random(static_cast<unsigned>(ranks));
    for (SpreadProblem problem : {matrix_product(24, 24, 24, ranks), matrix_product(50, 3, 20, ranks),
                                  matrix_product(4, 5, 90, ranks), ladder(6, 4, ranks)}) {
      problems.push_back(problem);
      for (PlacedTensor* tensor : {&problem.c, &problem.a, &problem.b}) {
        tensor->layout = random.layout(*tensor->shape, ranks);
      }
      problem.c.stays = true;
      problems.push_back(std::move(problem));
    }
  }
  return problems;
}

TEST(Spread, CostsAreNeverNegative) {
  for (const SpreadProblem& problem : some_problems()) {
    for (int rival = 0; rival < 10; ++rival) {
      const Spread spread = choose_spread(problem, MachineModel{}, {-1, rival});
      expect_sane(spread);
    }
  }
}

TEST(Spread, NoRivalIsBetterThanTheBest) {
  for (const SpreadProblem& problem : some_problems()) {
    const Spread best = choose_spread(problem, MachineModel{});
    for (const Rival& rival : best.rivals) EXPECT_GE(rival.seconds, best.seconds);
  }
}

TEST(Spread, TheNumbersOfLabelsDoNotMatter) {
  const LetteredTensor c{"ij", {}, {}}, a{"ik", {}, {}}, b{"kj", {}, {}};
  for (const auto& [m, n, k] : {std::tuple(60, 40, 50), std::tuple(200, 10, 30), std::tuple(8, 9, 500)}) {
    const std::vector<std::vector<std::pair<char, std::int64_t>>> orders = {
        {{'i', m}, {'j', n}, {'k', k}}, {{'k', k}, {'i', m}, {'j', n}}, {{'j', n}, {'k', k}, {'i', m}}};
    for (int ranks : {2, 4, 6, 8}) {
      std::set<std::int64_t> words;
      for (const auto& order : orders) words.insert(choose_spread(spread_problem({c, a, b}, order, ranks), {}).words);
      EXPECT_EQ(words.size(), 1U) << m << ' ' << n << ' ' << k << " on " << ranks;
    }
  }
}

TEST(Spread, TheOrderOfTheOperandsDoesNotMatter) {
  const LetteredTensor c{"ij", {}, {}}, a{"ik", {}, {}}, b{"kj", {}, {}};
  for (const auto& [m, n, k] : {std::tuple(60, 40, 50), std::tuple(200, 10, 30), std::tuple(8, 9, 500)}) {
    const std::vector<std::pair<char, std::int64_t>> extents{{'i', m}, {'j', n}, {'k', k}};
    for (int ranks : {2, 4, 6, 8}) {
      const Spread ab = choose_spread(spread_problem({c, a, b}, extents, ranks), {});
      const Spread ba = choose_spread(spread_problem({c, b, a}, extents, ranks), {});
      EXPECT_EQ(ab.words, ba.words) << m << ' ' << n << ' ' << k << " on " << ranks;
    }
  }
}

TEST(Spread, MoreMemoryIsNeverSlower) {
  for (int ranks : {2, 4}) {
    for (const SpreadProblem& problem :
         {matrix_product(24, 24, 24, ranks), matrix_product(4, 5, 90, ranks), ladder(5, 4, ranks)}) {
      double before = std::numeric_limits<double>::infinity();
      for (std::int64_t most : {10, 50, 200, 1000, 100'000}) {
        const Spread spread = choose_spread(problem, MachineModel{}, {most, 0});
        if (spread.buffers > most) continue;  // nothing fits
        EXPECT_LE(spread.seconds, before) << most;
        before = spread.seconds;
      }
    }
  }
}

TEST(Spread, LessMemoryTakesLessWhereItCan) {
  const SpreadProblem problem = matrix_product(600, 600, 600, 4);
  const Spread all = choose_spread(problem, MachineModel{}), least = choose_spread(problem, MachineModel{}, {0, 0});
  EXPECT_LT(least.buffers, all.buffers / 2);
}

TEST(Spread, MoreRanksNeedNoMoreBuffers) {
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  for (int ranks = 2; ranks <= 64; ranks *= 2) {
    const Spread spread = choose_spread(matrix_product(512, 512, 512, ranks), MachineModel{});
    EXPECT_LE(spread.buffers, before) << ranks;
    before = spread.buffers;
  }
}

TEST(Spread, MatrixProductsReceiveNoLessThanTheBound) {
  for (const auto& [m, n, k] : {std::tuple(512, 512, 512), std::tuple(4096, 64, 64), std::tuple(64, 64, 4096),
                                std::tuple(1024, 1024, 16), std::tuple(16, 1000, 200)}) {
    for (int ranks : {2, 4, 8, 16, 64}) {
      const SpreadProblem problem = matrix_product(m, n, k, ranks);
      const auto words = static_cast<double>(choose_spread(problem, MachineModel{}).words);
      EXPECT_GE(words * 1.0001, lower_bound_words(problem)) << m << ' ' << n << ' ' << k << " on " << ranks;
    }
  }
}

/// A matrix product whose operands are where the plan wants them.
SpreadProblem product_in_its_layouts(std::int64_t m, std::int64_t n, std::int64_t k, int ranks) {
  SpreadProblem problem = matrix_product(m, n, k, ranks);
  problem.a.layout.reset();
  problem.b.layout.reset();
  return problem;
}

// What COSMA receives in its layouts with that much memory a rank (millions of words).
TEST(Spread, MatrixProductsInTheirLayoutsReceiveNoMoreThanCosma) {
  struct Row {
    int ranks;
    double words, memory;
  };
  for (const auto& [ranks, words, memory] : {Row{4, 2.10e6, 7.3e6}, Row{8, 1.575e6, 4.7e6}, Row{16, 1.315e6, 2.9e6},
                                             Row{32, 0.92e6, 1.7e6}, Row{64, 0.59e6, 0.98e6}}) {
    // The operands are beside the buffers; the output, which is nowhere yet, is among them.
    const auto room = static_cast<std::int64_t>(memory - 2.0 * 2048 * 2048 / ranks);
    const Spread spread = choose_spread(product_in_its_layouts(2048, 2048, 2048, ranks), MachineModel{}, {room, 0});
    EXPECT_LE(static_cast<double>(spread.words), words) << ranks;
    EXPECT_LE(spread.buffers, room) << ranks;
  }
}

TEST(Spread, LongMatrixProductsInTheirLayoutsReceiveHardlyMoreThanTheBound) {
  for (int ranks : {2, 4, 8, 16, 32, 64}) {
    const SpreadProblem sums = product_in_its_layouts(256, 256, 65536, ranks);
    EXPECT_LE(static_cast<double>(choose_spread(sums, MachineModel{}).words), 1.1 * lower_bound_words(sums)) << ranks;
    if (ranks == 2) continue;  // the bound for nearly square products is not sharp
    const SpreadProblem outer = product_in_its_layouts(8192, 8192, 256, ranks);
    EXPECT_LE(static_cast<double>(choose_spread(outer, MachineModel{}).words), 1.1 * lower_bound_words(outer)) << ranks;
  }
}

// ---- The bound.

TEST(LowerBound, IsThatOfTheLongestSideOnFewRanks) {
  // p <= m / n: nk words, of which a rank has its share.
  EXPECT_DOUBLE_EQ(lower_bound_words(matrix_product(1024, 64, 16, 4)), 64 * 16 * (1 - 1.0 / 4));
  EXPECT_DOUBLE_EQ(lower_bound_words(matrix_product(64, 1024, 16, 16)), 64 * 16 * (1 - 1.0 / 16));
  EXPECT_DOUBLE_EQ(lower_bound_words(matrix_product(16, 64, 1024, 4)), 64 * 16 * (1 - 1.0 / 4));
}

TEST(LowerBound, IsThatOfTwoLongSidesOnMoreRanks) {
  // m / n < p <= mn / k²
  const double m = 1024, n = 512, k = 32, p = 8;
  EXPECT_DOUBLE_EQ(lower_bound_words(matrix_product(1024, 512, 32, 8)),
                   2 * std::sqrt(m * n * k * k / p) + m * n / p - (m * n + m * k + n * k) / p);
}

TEST(LowerBound, IsThatOfACubeOnManyRanks) {
  const double n = 100, p = 8;
  EXPECT_DOUBLE_EQ(lower_bound_words(matrix_product(100, 100, 100, 8)),
                   3 * std::pow(n * n * n / p, 2.0 / 3) - 3 * n * n / p);
}

TEST(LowerBound, IsNothingOnOneRankOrForAsManyBatches) {
  EXPECT_EQ(lower_bound_words(matrix_product(30, 40, 50, 1)), 0);
  const SpreadProblem batches = spread_problem({{"bij", {}, {}}, {"bik", {}, {}}, {"bkj", {}, {}}},
                                               {{'b', 8}, {'i', 10}, {'j', 10}, {'k', 10}}, 4);
  EXPECT_EQ(lower_bound_words(batches), 0);
}

// ---- What the choices are called.

TEST(Algorithm, SquareProductsOnFourRanksLeaveCInPlace) {
  EXPECT_EQ(name_of(matrix_product(512, 512, 512, 4)), "SUMMA, C stays");
}

TEST(Algorithm, TheLargestOperandStays) {
  SpreadProblem a = matrix_product(2048, 16, 2048, 4), b = matrix_product(16, 2048, 2048, 4);
  const Layout square(Grid{2, 2}, {{0}, {1}});
  for (SpreadProblem* problem : {&a, &b}) problem->a.layout = problem->b.layout = square;
  EXPECT_EQ(name_of(a), "SUMMA, A stays");
  EXPECT_EQ(name_of(b), "SUMMA, B stays");
}

TEST(Algorithm, SmallOnesGoToEverybody) {
  EXPECT_EQ(name_of(matrix_product(8192, 16, 16, 4)), "B to everybody");
  EXPECT_EQ(name_of(matrix_product(16, 8192, 16, 4)), "A to everybody");
}

TEST(Algorithm, ASmallOutputIsReduced) {
  SpreadProblem problem = matrix_product(16, 16, 8192, 4);
  problem.a.layout = Layout(Grid{4}, {{}, {0}});
  problem.b.layout = Layout(Grid{4}, {{0}, {}});
  EXPECT_EQ(name_of(problem), "sums of parts, reduced");
}

TEST(Algorithm, BatchesAreSideBySide) {
  const SpreadProblem problem = spread_problem({{"bij", {}, {}}, {"bik", {}, {}}, {"bkj", {}, {}}},
                                               {{'b', 64}, {'i', 20}, {'j', 20}, {'k', 20}}, 4);
  EXPECT_EQ(name_of(problem), "batches");
}

/// C[ij] = A[ik] B[kj] in blocks of so many parts of each label.
Spread blocks_of(int rows, int columns, int summed) {
  Spread spread;
  spread.labels = {0, 1, 2};
  spread.blocks = Layout(Grid{rows, columns, summed}, {{0}, {1}, {2}}, {rows, columns, summed});
  return spread;
}

TEST(Algorithm, IsNamedByTheBlocks) {
  const auto name = [](int rows, int columns, int summed) {
    return name_of_algorithm(matrix_product(64, 64, 64, rows * columns * summed), blocks_of(rows, columns, summed));
  };
  EXPECT_EQ(name(2, 2, 1), "SUMMA, C stays");
  EXPECT_EQ(name(2, 1, 2), "SUMMA, A stays");
  EXPECT_EQ(name(1, 2, 2), "SUMMA, B stays");
  EXPECT_EQ(name(4, 4, 2), "2.5D");
  EXPECT_EQ(name(4, 4, 4), "3D");
  EXPECT_EQ(name(1, 1, 4), "sums of parts, reduced");
  EXPECT_EQ(name(4, 1, 1), "B to everybody");
  EXPECT_EQ(name(1, 4, 1), "A to everybody");
  EXPECT_EQ(name(1, 1, 1), "one rank");
}

TEST(Algorithm, TheSearchKnowsReplicatedProducts) {
  std::set<std::string> on_8, on_32;
  for (int rival = 1; rival < 60; ++rival) {
    const SpreadProblem eight = matrix_product(64, 64, 64, 8), more = matrix_product(64, 64, 64, 32);
    on_8.insert(name_of_algorithm(eight, choose_spread(eight, MachineModel{}, {-1, rival})));
    on_32.insert(name_of_algorithm(more, choose_spread(more, MachineModel{}, {-1, rival})));
  }
  EXPECT_TRUE(on_8.contains("3D"));
  EXPECT_TRUE(on_32.contains("2.5D"));
  EXPECT_TRUE(on_32.contains("3D"));
}

TEST(Algorithm, ACubeIsCutThreeWaysOnManyRanks) {
  const std::string name = name_of(matrix_product(1024, 1024, 1024, 64));
  EXPECT_TRUE(name == "3D" || name == "2.5D") << name;
}

TEST(Algorithm, GroupsThatAreBrokenUpAreCast) {
  const SpreadProblem broken = spread_problem({{"aij", {}, {}}, {"abij", pairs, {}}, {"b", {}, {}}},
                                              {{'a', 8}, {'b', 8}, {'i', 6}, {'j', 6}}, 4);
  EXPECT_NE(name_of(broken).find(", CAST"), std::string::npos);
  EXPECT_EQ(name_of(ladder(8, 6, 4)).find("CAST"), std::string::npos);
}

TEST(Algorithm, StatementsWithOneOperandHaveNames) {
  const SpreadProblem copy = spread_problem({{"ij", {}, {}}, {"ji", {}, {}}}, {{'i', 40}, {'j', 40}}, 4);
  EXPECT_EQ(name_of(copy), "element by element");
  SpreadProblem sum = spread_problem({{"", {}, {}}, {"ij", {}, {}}}, {{'i', 400}, {'j', 400}}, 4);
  EXPECT_EQ(name_of(sum), "sums, reduced");
}

// ---- The classes of labels.

/// The class of i, j or k.
std::string class_of(char letter, const Layout& a, const Layout& b, const Spread& spread) {
  SpreadProblem problem = matrix_product(64, 64, 64, static_cast<int>(a.grid().size()));
  problem.a.layout = a;
  problem.b.layout = b;
  return class_of_label(problem, spread, std::string("ijk").find(letter));
}

TEST(LabelClass, ContractedLabels) {
  const Grid four{2, 2};
  const Layout ik = Layout::parse("i:g0 k:g1", four), kj = Layout::parse("k:g0 j:g1", four);
  const Layout k_serial_a = Layout::parse("i:g0+g1 k:*", four), k_serial_b = Layout::parse("k:* j:g1", four);
  EXPECT_EQ(class_of('k', ik, kj, blocks_of(2, 2, 1)), "DDO");
  EXPECT_EQ(class_of('k', ik, k_serial_b, blocks_of(2, 2, 1)), "SD");
  EXPECT_EQ(class_of('k', k_serial_a, kj, blocks_of(2, 2, 1)), "SD");
  EXPECT_EQ(class_of('k', k_serial_a, k_serial_b, blocks_of(2, 2, 1)), "SS");
  EXPECT_EQ(class_of('k', ik, kj, blocks_of(2, 1, 2)), "DDA");
}

TEST(LabelClass, ExternalLabels) {
  const Grid four{2, 2};
  const Layout ik = Layout::parse("i:g0 k:g1", four), kj = Layout::parse("k:g0 j:g1", four);
  EXPECT_EQ(class_of('i', ik, kj, blocks_of(2, 2, 1)), "DE");
  EXPECT_EQ(class_of('j', ik, kj, blocks_of(2, 2, 1)), "DE");
  EXPECT_EQ(class_of('j', ik, kj, blocks_of(2, 1, 2)), "DC");
  EXPECT_EQ(class_of('j', ik, Layout::parse("k:g0+g1 j:*", four), blocks_of(2, 1, 2)), "S");
}

}  // namespace
}  // namespace ricci::planning
