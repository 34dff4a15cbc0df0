// How flows share links.
#include "plan/fair_shares.hpp"

#include <random>

#include <gtest/gtest.h>

namespace ricci::planning {
namespace {

TEST(FairShares, FlowsOfALinkShareItByTheirWeights) {
  const std::vector<LinkUse> link{{0, 1}};
  std::vector<FairFlow> flows{{link, 1}, {link, 3}};
  FairShares(1).solve(flows);
  EXPECT_DOUBLE_EQ(flows[0].rate, 0.25);
  EXPECT_DOUBLE_EQ(flows[1].rate, 0.75);
}

TEST(FairShares, WhatOneFlowCannotUseOthersGet) {
  // The first goes over both links, where the second one has three: it gets a quarter, and leaves the rest of the
  // first.
  const std::vector<LinkUse> both{{0, 1}, {1, 1}}, first{{0, 1}}, second{{1, 1}};
  std::vector<FairFlow> flows{{both, 1}, {first, 1}, {second, 1}, {second, 1}, {second, 1}};
  FairShares(2).solve(flows);
  EXPECT_DOUBLE_EQ(flows[0].rate, 0.25);
  EXPECT_DOUBLE_EQ(flows[1].rate, 0.75);
  for (int f : {2, 3, 4}) EXPECT_DOUBLE_EQ(flows[f].rate, 0.25);
}

TEST(FairShares, AFlowMayTakeAPartOfItsRateFromALink) {
  const std::vector<LinkUse> there{{0, 1}, {1, 0.25F}}, back{{1, 1}, {0, 0.25F}};
  std::vector<FairFlow> flows{{there, 1}, {back, 1}};
  FairShares(2).solve(flows);
  EXPECT_DOUBLE_EQ(flows[0].rate, 0.8);
  EXPECT_DOUBLE_EQ(flows[1].rate, 0.8);
}

// Every flow goes over a link that is full, and on which nobody has more for its weight.
TEST(FairShares, RandomFlowsHaveABottleneck) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 50; ++turn) {
    constexpr int links = 12;
    std::vector<std::vector<LinkUse>> uses(40);
    std::vector<FairFlow> flows;
    for (auto& use : uses) {
      for (int link = 0; link < links; ++link) {
        if (random() % 4 == 0) use.push_back({link, random() % 2 ? 1.0F : 0.25F});
      }
      if (use.empty()) use.push_back({0, 1});
      flows.push_back({use, 1.0 / (1 + static_cast<int>(random() % 5))});
    }
    FairShares(links).solve(flows);
    std::vector<double> carried(links, 0), most(links, 0);
    for (const FairFlow& flow : flows) {
      EXPECT_GT(flow.rate, 0);
      for (const LinkUse& use : flow.uses) {
        carried[use.link] += use.part * flow.rate;
        most[use.link] = std::max(most[use.link], flow.rate / flow.weight);
      }
    }
    for (double load : carried) EXPECT_LE(load, 1 + 1e-6);
    for (const FairFlow& flow : flows) {
      const bool has_bottleneck = std::any_of(flow.uses.begin(), flow.uses.end(), [&](const LinkUse& use) {
        return carried[use.link] > 1 - 1e-6 && flow.rate / flow.weight > most[use.link] * (1 - 1e-6);
      });
      EXPECT_TRUE(has_bottleneck);
    }
  }
}

}  // namespace
}  // namespace ricci::planning
