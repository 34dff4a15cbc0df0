// Panels that rotate: every rank begins with another one, and neighbours pass them on.
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "plan/classify.hpp"
#include "plan/verify_program.hpp"
#include "simulated_ranks.hpp"
#include "spread_case.hpp"

namespace ricci::planning {
namespace {

/// C[ij] += A[ik] B[kj] of matrices of side n on q x q ranks, everything in q x q tiles, in q phases.
struct SquareProduct {
  SquareProduct(std::int64_t n, int q)
      : layout(Grid{q, q}, {{0}, {1}}, {q, q}),
        problem(spread_problem({{"ij", {}, layout}, {"ik", {}, layout}, {"kj", {}, layout}},
                               {{'i', n}, {'j', n}, {'k', n}}, q * q)) {
    spread.labels = {0, 1, 2};
    spread.blocks = Layout(Grid{q, q}, {{0}, {1}, {}}, {q, q, q});
    spread.c = spread.a = spread.b = layout;
    spread.phases = q;
  }
  Layout layout;
  SpreadProblem problem;
  Spread spread;
};

TEST(Rotation, IsCannonsAlgorithm) {
  for (int q : {2, 3, 4, 5}) {
    const SquareProduct product(q * 4, q);
    EXPECT_EQ(name_of_algorithm(product.problem, product.spread), "Cannon");
    const BlockContraction contraction = block_contraction(product.problem, product.spread);
    for (int i = 0; i < q; ++i) {
      for (int j = 0; j < q; ++j) {
        const BlockProgram program = make_program(contraction, i * q + j);
        ASSERT_EQ(static_cast<int>(program.phases.size()), q);
        // Skewed at first: A's panel i + j comes from its holder; then every panel comes from the next rank in the row,
        // B's from the next one in the column, unless the rank holds it itself.
        for (int phase = 0; phase < q; ++phase) {
          const Phase& here = program.phases[phase];
          const int panel = (i + j + phase) % q;
          const auto expect_from = [&](int x, bool own, int holder, int neighbour) {
            ASSERT_EQ(here.receives[x].size(), own ? 0U : 1U) << q << ' ' << i << ' ' << j << ' ' << phase;
            if (own) return;
            EXPECT_EQ(here.receives[x][0].peer, phase == 0 ? holder : neighbour);
          };
          expect_from(0, panel == j, i * q + panel, i * q + (j + 1) % q);
          expect_from(1, panel == i, panel * q + j, (i + 1) % q * q + j);
          EXPECT_EQ(here.operations.size(), 1U);
        }
      }
    }
  }
}

TEST(Rotation, GivesTheProduct) {
  for (const auto& [n, q] : {std::pair(6, 2), std::pair(7, 2), std::pair(12, 3), std::pair(11, 4)}) {
    const SquareProduct product(n, q);
    const layout::Distribution distribution(product.problem.c.shape, product.layout);
    std::vector<double> a, b, c, expected(n * n);
    for (int i = 0; i < n * n; ++i) a.push_back(i % 7 - 3), b.push_back(i % 5 - 2), c.push_back(i % 3);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        expected[i * n + j] = c[i * n + j];
        for (int k = 0; k < n; ++k) expected[i * n + j] += 2 * a[i * n + k] * b[k * n + j];
      }
    }
    RankData made = scatter(distribution, c);
    run_programs(block_contraction(product.problem, product.spread), 2, made, scatter(distribution, a),
                 scatter(distribution, b));
    EXPECT_EQ(made, scatter(distribution, expected)) << n << " on " << q << 'x' << q;
  }
}

TEST(Rotation, NothingIsPassedOnThatHasNotCome) {
  const SquareProduct product(12, 3);
  const BlockContraction contraction = block_contraction(product.problem, product.spread);
  for (int rank = 0; rank < 9; ++rank) {
    BlockProgram program = make_program(contraction, rank);
    verify(program, contraction, rank);
    for (Phase& phase : program.phases) {
      for (TileMessage& message : phase.sends[0]) {
        if (message.passed_on.empty()) continue;
        const Range was = message.passed_on[0];
        message.passed_on[0].begin += 1;
        EXPECT_THROW(verify(program, contraction, rank), InternalError);
        message.passed_on[0] = {was.begin, was.size - 1};
        EXPECT_THROW(verify(program, contraction, rank), InternalError);
        message.passed_on[0] = was;
      }
    }
  }
}

TEST(Rotation, LittleMemoryMakesIt) {
  // Room for a panel of each operand that comes while another one is used, for what a kernel packs and where, and
  // hardly more.
  const SpreadProblem problem = SquareProduct(256, 4).problem;
  const Spread spread = choose_spread(problem, MachineModel{}, {(4 + 3) * 64 * 64 + 9 * 64 + 100, 0});
  EXPECT_EQ(name_of_algorithm(problem, spread), "Cannon");
}

}  // namespace
}  // namespace ricci::planning
