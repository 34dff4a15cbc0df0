// Messages that share the links of a torus, and ranks that wait for them.
#include "plan/flow_simulation.hpp"

#include <gtest/gtest.h>

#include "slow_torus.hpp"

namespace ricci::planning {
namespace {

TEST(FlowSimulation, AMessageTakesItsLatencyAndItsBytes) {
  const MachineModel machine = slow_torus(1);
  FlowSimulation simulation(machine, 8);
  const int step = simulation.add_step({});
  simulation.add(step, 0, 3, 1000);
  simulation.run();
  EXPECT_DOUBLE_EQ(simulation.ended(step), 10 + 300 + 1000);
}

TEST(FlowSimulation, MessagesThatShareALinkTakeTurns) {
  const MachineModel machine = slow_torus(1);
  FlowSimulation simulation(machine, 8);
  const int step = simulation.add_step({});
  simulation.add(step, 0, 1, 1000);
  simulation.add(step, 0, 1, 500);
  simulation.add(step, 1, 0, 1500);  // the other direction
  simulation.run();
  EXPECT_DOUBLE_EQ(simulation.ended(step), 110 + 1500);
}

// Half the share for twice the way.
TEST(FlowSimulation, LongWaysGetLess) {
  const MachineModel machine = slow_torus(1);
  FlowSimulation simulation(machine, 8);
  const int first = simulation.add_step({}), second = simulation.add_step({});
  simulation.add(first, 0, 1, 300);
  simulation.add(second, 0, 2, 300);
  simulation.run();
  // From 210 on both are under way: 200 of the first are left, and it gets 2 of 3 parts.
  EXPECT_DOUBLE_EQ(simulation.ended(first), 210 + 300);
  EXPECT_DOUBLE_EQ(simulation.ended(second), 510 + 200);
}

TEST(FlowSimulation, AcknowledgementsTakeRoom) {
  MachineModel machine = slow_torus(1);
  machine.reverse_traffic = 0.25;
  FlowSimulation simulation(machine, 8);
  const int step = simulation.add_step({});
  simulation.add(step, 0, 1, 800);
  simulation.add(step, 1, 0, 800);
  simulation.run();
  EXPECT_DOUBLE_EQ(simulation.ended(step), 110 + 1000);
}

TEST(FlowSimulation, StepsWaitForThoseBeforeAndForBothRanks) {
  const MachineModel machine = slow_torus(1);
  FlowSimulation simulation(machine, 4);
  const int first = simulation.add_step({}), second = simulation.add_step({first}, 5);
  simulation.add(first, 0, 1, 1000);
  simulation.add(second, 2, 1, 100);  // rank 2 has nothing to wait for, but rank 1 has
  simulation.add(second, 2, 3, 100);
  simulation.run();
  EXPECT_DOUBLE_EQ(simulation.ended(first), 1110);
  EXPECT_DOUBLE_EQ(simulation.ended(second), 1115 + 210);
}

TEST(FlowSimulation, SendersDoNotWaitForEagerMessages) {
  MachineModel machine = slow_torus(1);
  for (const double eager : {0.0, 2000.0}) {
    machine.eager_bytes = eager;
    FlowSimulation simulation(machine, 4);
    const int first = simulation.add_step({}), second = simulation.add_step({first});
    simulation.add(first, 0, 1, 1000);
    simulation.add(second, 3, 0, 100);
    simulation.run();
    EXPECT_DOUBLE_EQ(simulation.ended(second), eager > 0 ? 1110 : 1110 + 210);
  }
}

// What the busiest link carries is a bound from below, and no link is idle for long where all send to all.
TEST(FlowSimulation, AllToAllTakesWhatTheLinksCarry) {
  const MachineModel machine = slow_torus(2);
  FlowSimulation simulation(machine, 16);
  const int step = simulation.add_step({});
  std::vector<double> carried(static_cast<std::size_t>(Torus(16, 2).directions()) * 16, 0);
  for (int from = 0; from < 16; ++from) {
    for (int to = 0; to < 16; ++to) {
      if (from == to) continue;
      simulation.add(step, from, to, 1e5);
      Torus(16, 2).for_each_link(from, to, [&](int direction, int rank) { carried[direction * 16 + rank] += 1e5; });
    }
  }
  simulation.run();
  const double busiest = *std::max_element(carried.begin(), carried.end());
  EXPECT_GE(simulation.ended(step), busiest);
  EXPECT_LE(simulation.ended(step), 1.5 * busiest);
}

}  // namespace
}  // namespace ricci::planning
