// What messages take on a torus.
#include "plan/network.hpp"

#include <tuple>

#include <gtest/gtest.h>

#include "slow_torus.hpp"

namespace ricci::planning {
namespace {

TEST(Torus, ExtentsAreAsEqualAsRanksAllow) {
  EXPECT_EQ(torus_extents(8, 3), (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(torus_extents(16, 3), (std::vector<int>{4, 2, 2}));
  EXPECT_EQ(torus_extents(256, 3), (std::vector<int>{8, 8, 4}));
  EXPECT_EQ(torus_extents(7, 2), (std::vector<int>{7, 1}));
  EXPECT_EQ(torus_extents(1, 3), (std::vector<int>{1, 1, 1}));
}

TEST(Torus, AMessageGoesTheShorterWay) {
  const MachineModel machine = slow_torus(1);
  for (const auto& [to, hops] : {std::pair(1, 1), std::pair(3, 3), std::pair(4, 4), std::pair(5, 3), std::pair(7, 1)}) {
    TorusTraffic traffic(machine, 8);
    traffic.add(0, to, 1000, 1000);
    EXPECT_DOUBLE_EQ(traffic.seconds(1), 1000 + 10 + 100 * hops) << to;
  }
}

// As SimGrid has it: forward, but back from the middle to the first.
TEST(Torus, HalfRoundAMessageGoesForward) {
  const Torus ring(4, 1);
  for (const auto& [from, to, direction] : {std::tuple(0, 2, 0), {1, 3, 0}, {3, 1, 0}, {2, 0, 1}}) {
    EXPECT_EQ(ring.for_each_link(from, to, [&](int way, int) { EXPECT_EQ(way, direction) << from; }), 2);
  }
}

TEST(Torus, RanksAgreeByATree) {
  EXPECT_DOUBLE_EQ(seconds_of_agreement(slow_torus(1), 8), 2 * (110 + 210 + 410));
  EXPECT_DOUBLE_EQ(seconds_of_agreement(slow_torus(0), 8), 2 * 3 * 10);
  EXPECT_EQ(seconds_of_agreement(slow_torus(3), 1), 0);
}

TEST(Torus, MessagesThatShareALinkTakeTurns) {
  const MachineModel machine = slow_torus(2);  // 4 x 4: rank 5 is at (1, 1)
  TorusTraffic traffic(machine, 16);
  traffic.add(0, 5, 1000, 1000);
  EXPECT_DOUBLE_EQ(traffic.seconds(1), 1000 + 10 + 200);
  traffic.add(0, 1, 500, 500);  // the same link out of rank 0
  EXPECT_DOUBLE_EQ(traffic.seconds(1), 1500 + 10 + 200);
  traffic.add(1, 0, 1500, 1500);  // the other direction
  traffic.add(0, 4, 1500, 1500);  // along the other dimension
  EXPECT_DOUBLE_EQ(traffic.seconds(1), 1500 + 10 + 200);
}

TEST(Torus, NothingTakesNothing) {
  const MachineModel machine = slow_torus(3);
  TorusTraffic traffic(machine, 8);
  traffic.add(3, 3, 1000, 1000);
  EXPECT_EQ(traffic.seconds(1), 0);
}

TEST(Torus, SomeRanksStandForAll) {
  const MachineModel machine = slow_torus(1);
  TorusTraffic all(machine, 8), some(machine, 8);
  for (int rank = 0; rank < 8; ++rank) all.add(rank, (rank + 2) % 8, 100, 100);
  for (int rank : {1, 6}) some.add(rank, (rank + 2) % 8, 100, 100);
  EXPECT_DOUBLE_EQ(all.seconds(1), 200 + 10 + 200);
  EXPECT_DOUBLE_EQ(some.seconds(2.0 / 8), all.seconds(1));
}

TEST(Torus, RatesDependOnTheSizeOfMessages) {
  MachineModel machine = slow_torus(1);
  machine.message_rates = {{0, 1, 1}, {100, 2, 0.5}};
  TorusTraffic small(machine, 4), large(machine, 4);
  small.add(0, 1, 400, 99);
  large.add(0, 1, 400, 100);
  EXPECT_DOUBLE_EQ(small.seconds(1), 400 + 110);
  EXPECT_DOUBLE_EQ(large.seconds(1), 800 + 220);
}

}  // namespace
}  // namespace ricci::planning
