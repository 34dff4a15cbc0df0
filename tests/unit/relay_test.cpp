// Tiles and partial sums that go from rank to rank: trees and chains.
#include "plan/relay.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "plan/relay_cost.hpp"
#include "plan/verify_program.hpp"
#include "simulated_ranks.hpp"
#include "spread_case.hpp"

namespace ricci::planning {
namespace {

using Way = Relay::Way;

TEST(Relay, ReachesEveryPlaceOnceAndNotBeforeItsSource) {
  for (const Way way : {Way::direct, Way::tree, Way::chain}) {
    for (int count = 1; count <= 40; ++count) {
      std::set<int> reached{0};
      for (int place = 0; place < count; ++place) {
        for (const RelayLink& link : targets_of(way, place, count)) {
          EXPECT_TRUE(reached.insert(link.place).second);
          const RelayLink back = source_of(way, link.place);
          EXPECT_EQ(back.place, place);
          EXPECT_EQ(back.round, link.round);
          EXPECT_LT(link.round, rounds_of(way, count));
          EXPECT_TRUE(place == 0 || link.round > source_of(way, place).round);
        }
      }
      EXPECT_EQ(static_cast<int>(reached.size()), count);
    }
  }
  EXPECT_EQ(rounds_of(Way::tree, 1), 0);
  EXPECT_EQ(rounds_of(Way::tree, 8), 3);
  EXPECT_EQ(rounds_of(Way::tree, 9), 4);
  EXPECT_EQ(rounds_of(Way::chain, 9), 8);
}

TEST(Relay, PlacesBeginWithWhoHasTheData) {
  EXPECT_EQ(places_of(3, {0, 1, 5, 7}), (std::vector<int>{3, 5, 7, 0, 1}));
  EXPECT_EQ(places_of(9, {0, 1}), (std::vector<int>{9, 0, 1}));
}

/// C[ij] += A[ik] B[kj] where C and A are spread over i and B is all on the first of the ranks.
struct BroadcastProduct {
  BroadcastProduct(int ranks, std::int64_t n)
      : rows(Grid{ranks}, {{0}, {}}, {ranks, 1}),
        one_rank(Grid{ranks}, {{0}, {}}, {ranks, 1}),
        problem(spread_problem({{"ij", {}, rows}, {"ik", {}, rows}, {"kj", {}, one_rank}},
                               {{'i', n}, {'j', n}, {'k', 1}}, ranks)) {
    spread.labels = {0, 1, 2};
    spread.blocks = Layout(Grid{ranks}, {{0}, {}, {}}, {ranks, 1, 1});
    spread.c = spread.a = rows;
    spread.b = one_rank;
  }
  Layout rows, one_rank;
  SpreadProblem problem;
  Spread spread;
};

TEST(Relay, ATreeTakesLogarithmicallyManyMessagesOfEachRank) {
  const int ranks = 16;
  BroadcastProduct product(ranks, 16);
  const auto most_messages = [&] {
    std::int64_t most = 0, received = 0;
    const BlockContraction contraction = block_contraction(product.problem, product.spread);
    for (int rank = 0; rank < ranks; ++rank) {
      const BlockProgram program = make_program(contraction, rank);
      most = std::max(most, program.messages_sent());
      received += program.elements_received();
    }
    EXPECT_EQ(received, (ranks - 1) * 16);  // however it comes
    return most;
  };
  EXPECT_EQ(most_messages(), 15);
  product.spread.fetch[1] = {Way::tree, 1};
  EXPECT_EQ(most_messages(), 4);
  product.spread.fetch[1] = {Way::chain, 4};
  EXPECT_EQ(most_messages(), 4);  // one a piece
}

TEST(Relay, GivesTheSameProduct) {
  const int ranks = 7;
  for (const Relay& relay : {Relay{}, Relay{Way::tree, 1}, Relay{Way::chain, 1}, Relay{Way::chain, 3}}) {
    BroadcastProduct product(ranks, 9);
    product.spread.fetch[1] = relay;
    const layout::Distribution rows(product.problem.a.shape, product.rows),
        b(product.problem.b.shape, product.one_rank), c(product.problem.c.shape, product.rows);
    std::vector<double> of_a(9), of_b(9), of_c(81), expected(81);
    for (int i = 0; i < 9; ++i) of_a[i] = i - 3, of_b[i] = 2 * i + 1;
    for (int i = 0; i < 81; ++i) of_c[i] = i % 5, expected[i] = of_c[i] + of_a[i / 9] * of_b[i % 9];
    RankData made = scatter(c, of_c);
    run_programs(block_contraction(product.problem, product.spread), 1, made, scatter(rows, of_a), scatter(b, of_b));
    EXPECT_EQ(made, scatter(c, expected));
  }
}

/// C += A[k] B[k], both spread over k.
struct DotProduct {
  DotProduct(int ranks, Way way) : layout(Grid{ranks}, {{0}}, {ranks}) {
    problem = spread_problem({{"", {}, {}}, {"k", {}, layout}, {"k", {}, layout}}, {{'k', 2 * ranks}}, ranks);
    spread.labels = {0};
    spread.blocks = spread.a = spread.b = layout;
    spread.c = *problem.c.layout;
    spread.sums = way;
  }
  BlockContraction contraction() const { return block_contraction(problem, spread); }
  Layout layout;
  SpreadProblem problem;
  Spread spread;
};

TEST(Relay, PartialSumsOfManyRanksGoUpATree) {
  const int ranks = 16;
  for (const Way way : {Way::direct, Way::tree}) {
    const DotProduct product(ranks, way);
    const BlockContraction contraction = product.contraction();
    std::size_t most = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      most = std::max(most, make_program(contraction, rank).partials_from.size());
    }
    EXPECT_EQ(most, way == Way::direct ? 15U : 4U);
    const layout::Distribution operand(product.problem.a.shape, product.layout),
        result(product.problem.c.shape, product.spread.c);
    std::vector<double> a, b;
    double expected = 100;
    for (int k = 0; k < 2 * ranks; ++k) {
      a.push_back(k - 7), b.push_back(k % 3);
      expected += 2 * a[k] * b[k];
    }
    RankData c = scatter(result, {100});
    run_programs(contraction, 2, c, scatter(operand, a), scatter(operand, b));
    EXPECT_EQ(c[0], std::vector<double>{expected});
  }
}

/// Whether the verifier rejects the program of some rank once it has been broken; f says whether it could be.
template <class F>
void expect_rejected(const BlockContraction& contraction, const char* message, F break_it) {
  bool any = false;
  for (int rank = 0; rank < contraction.mapping.ranks(); ++rank) {
    BlockProgram program = make_program(contraction, rank);
    verify(program, contraction, rank);
    if (!break_it(program)) continue;
    any = true;
    try {
      verify(program, contraction, rank);
      ADD_FAILURE() << "accepted on rank " << rank << ", though " << message;
    } catch (const InternalError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  }
  EXPECT_TRUE(any) << message;
}

TEST(Relay, NothingGoesOnBeforeItHasCome) {
  BroadcastProduct product(8, 9);
  for (const Relay& relay : {Relay{Way::tree, 1}, Relay{Way::chain, 2}}) {
    product.spread.fetch[1] = relay;
    const BlockContraction contraction = block_contraction(product.problem, product.spread);
    expect_rejected(contraction, "passes on elements that have not come", [](BlockProgram& program) {
      const auto& received = program.phases[0].receives[1];
      for (TileMessage& message : program.phases[0].sends[1]) {
        if (message.forwarded.empty()) continue;
        message.round = received[0].round;
        return true;
      }
      return false;
    });
    expect_rejected(contraction, "not in the order of their rounds", [](BlockProgram& program) {
      std::vector<TileMessage>& sends = program.phases[0].sends[1];
      if (sends.size() < 2 || sends[0].round == sends[1].round) return false;
      std::swap(sends[0], sends[1]);
      return true;
    });
  }
}

TEST(Relay, PartialSumsDoNotGoOnBeforeTheyAreComplete) {
  const DotProduct product(8, Way::tree);
  expect_rejected(product.contraction(), "before all has come", [](BlockProgram& program) {
    if (program.partials_from.empty() || program.partials_to.empty()) return false;
    program.partials_to[0].round = program.partials_from.back().round;
    return true;
  });
  expect_rejected(product.contraction(), "partial sums that are not there", [](BlockProgram& program) {
    if (program.partials_from.empty() || program.partials_from[0].forwarded.empty()) return false;
    program.partials_from[0].forwarded[0].begin += 1'000'000;
    return true;
  });
}

TEST(Relay, CostsChooseWhatTheNumberOfRanksAndTheSizeAskFor) {
  MachineModel machine;
  machine.network_latency = 1e-6;
  machine.network_bandwidth = 1e9;
  // Few receivers, or as many holders as receivers, which all send at once.
  EXPECT_EQ(best_relay({1e6, 1, 3}, machine).way, Way::direct);
  EXPECT_EQ(best_relay({1e6, 64, 63}, machine).way, Way::direct);
  // One number for many: latency. Much for many: every link is busy all the time.
  EXPECT_EQ(best_relay({8, 1, 63}, machine).way, Way::tree);
  const Relay chain = best_relay({1e9, 1, 63}, machine);
  EXPECT_EQ(chain.way, Way::chain);
  EXPECT_GT(chain.pieces, 16);
  for (const FanOut& fan_out : {FanOut{1e3, 1, 15}, FanOut{1e6, 2, 31}, FanOut{1e8, 1, 1000}, FanOut{0, 1, 5}}) {
    EXPECT_LE(seconds_of(fan_out, best_relay(fan_out, machine), machine), seconds_of(fan_out, {}, machine));
  }
}

}  // namespace
}  // namespace ricci::planning
