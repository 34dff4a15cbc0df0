// Plans for 512 ranks of the simulated torus of bench/sim, 8 x 8 x 8, for the contractions that are measured there.
#include <string>

#include <gtest/gtest.h>

#include "plan/distributed_plan.hpp"
#include "plan/verify_program.hpp"
#include "spread_case.hpp"

namespace ricci::planning {
namespace {

constexpr int ranks = 512;

struct Contraction {
  LetteredTensor c, a, b;
  std::int64_t extent;
};

std::vector<Contraction> contractions() {
  const Symmetry first = symmetric(0, 1), last = symmetric(2, 3), both = first * last;
  return {
      {{"ijab", {}, {}}, {"ikal", last, {}}, {"ljkb", last, {}}, 8},
      {{"ijab", both, {}}, {"ikjl", both, {}}, {"abkl", both, {}}, 8},
      {{"iajb", {}, {}}, {"ikjl", both, {}}, {"lakb", {}, {}}, 8},
      {{"iajb", {}, {}}, {"ikjl", both, {}}, {"lakb", last, {}}, 8},
      {{"iajb", {}, {}}, {"ikjl", both, {}}, {"lakb", both, {}}, 8},
      {{"ia", {}, {}}, {"ik", first, {}}, {"ka", first, {}}, 32},
      {{"ijab", {}, {}}, {"ijbk", last, {}}, {"ak", first, {}}, 8},
  };
}

DistributedPlan plan_of(const Contraction& contraction, const MachineModel& machine, Strategy strategy) {
  notation::WrittenStatement written;
  std::vector<Place> places;
  const auto tensor = [&](const LetteredTensor& given) -> notation::WrittenTensor {
    auto shape =
        std::make_shared<const symmetry::Shape>(Extents(given.letters.size(), contraction.extent), given.symmetry);
    places.push_back({layout::default_layout(*shape, ranks)});
    return {shape, given.letters};
  };
  written.output = tensor(contraction.c);
  written.terms = {{tensor(contraction.a), tensor(contraction.b)}};
  written.overwrite = true;
  SpreadGoal goal;
  goal.strategy = strategy;
  return plan_distributed(plan_statement(notation::bind(written), machine, Options{.threads = 1}), places, false, ranks,
                          machine, goal);
}

class LargeTorus : public testing::TestWithParam<int> {};

TEST_P(LargeTorus, TheChosenPlanIsSoundAndNoSlowerThanEitherStrategy) {
  const Contraction contraction = contractions()[static_cast<std::size_t>(GetParam())];
  const MachineModel machine = MachineModel::load(std::string(RICCI_UNIT_TESTS) + "/../../bench/sim/torus.json");
  const DistributedPlan plan = plan_of(contraction, machine, Strategy::any);
  for (const SpreadNode& node : plan.nodes) {
    expect_sane(node.spread);
    EXPECT_GE(node.spread.seconds, node.spread.local);
    const BlockContraction blocks = block_contraction(node.problem, node.spread);
    for (const int rank : {0, 1, ranks / 2 + 3, ranks - 1}) verify(make_program(blocks, rank), blocks, rank);
  }
  for (const Strategy forced : {Strategy::cast, Strategy::desymmetrise}) {
    EXPECT_LE(plan.seconds(), plan_of(contraction, machine, forced).seconds() * (1 + 1e-9));
  }
}

INSTANTIATE_TEST_SUITE_P(Seven, LargeTorus, testing::Range(0, 7));

}  // namespace
}  // namespace ricci::planning
