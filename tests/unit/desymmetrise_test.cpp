// Unpacking operands before they are contracted, as a rival of fetching packed tiles.
#include "plan/desymmetrise.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "plan/classify.hpp"
#include "plan/distributed_plan.hpp"
#include "spread_case.hpp"

namespace ricci::planning {
namespace {

using notation::ShapePointer;
using notation::WrittenStatement;

/// C[ia] = A[ik] B[ka] with packed operands.
SpreadProblem packed_product(std::int64_t extent, int ranks, Symmetry symmetry = symmetric(0, 1)) {
  return spread_problem({{"ia", {}, {}}, {"ik", symmetry, {}}, {"ka", symmetry, {}}},
                        {{'i', extent}, {'a', extent}, {'k', extent}}, ranks);
}

TEST(Desymmetrise, OnlyLabelsThatRunTogetherStayInAGroup) {
  EXPECT_EQ(unbroken_symmetry(packed_product(8, 4), packed_product(8, 4).a), Symmetry{});
  // j and k are contracted with a pair, l is not.
  const SpreadProblem triple = spread_problem({{"il", {}, {}}, {"ijkl", antisymmetric(1, 2, 3), {}}, {"jk", {}, {}}},
                                              {{'i', 5}, {'j', 5}, {'k', 5}, {'l', 5}}, 4);
  EXPECT_EQ(unbroken_symmetry(triple, triple.a), antisymmetric(1, 2));
  EXPECT_TRUE(breaks_groups(triple, triple.a));
  EXPECT_FALSE(breaks_groups(triple, triple.b));
}

TEST(Desymmetrise, EveryChoiceOfBrokenOperandsIsAWay) {
  EXPECT_EQ(ways_to_unpack(packed_product(8, 4)).size(), 3U);
  const SpreadProblem plain =
      spread_problem({{"ia", {}, {}}, {"ik", {}, {}}, {"ka", {}, {}}}, {{'i', 8}, {'a', 8}, {'k', 8}}, 4);
  EXPECT_TRUE(ways_to_unpack(plain).empty());
}

TEST(Desymmetrise, ALabelThatStandsTwiceStays) {
  const SpreadProblem problem = spread_problem({{"ia", {}, {}}, {"iik", symmetric(0, 1, 2), {}}, {"ka", {}, {}}},
                                               {{'i', 6}, {'a', 6}, {'k', 6}}, 4);
  EXPECT_TRUE(breaks_groups(problem, problem.a));
  EXPECT_TRUE(ways_to_unpack(problem).empty());
}

TEST(Desymmetrise, TheFasterStrategyWinsAndTheOtherIsItsRival) {
  for (const int ranks : {2, 4, 8, 12}) {
    for (const std::int64_t extent : {12, 60, 400}) {
      const SpreadProblem problem = packed_product(extent, ranks);
      const auto choose = [&](Strategy strategy) {
        return choose_strategy(problem, MachineModel{}, {-1, 0, strategy});
      };
      const StrategyChoice any = choose(Strategy::any), cast = choose(Strategy::cast),
                           unpacked = choose(Strategy::desymmetrise);
      EXPECT_FALSE(cast.desymmetrised);
      ASSERT_TRUE(unpacked.desymmetrised);
      const double best = any.desymmetrised ? any.desymmetrised->seconds() : any.direct.seconds;
      EXPECT_DOUBLE_EQ(best, std::min(cast.direct.seconds, unpacked.desymmetrised->seconds()));
      const auto& rivals = (any.desymmetrised ? any.desymmetrised->spread : any.direct).rivals;
      // Of unpacking, which need not be looked at to the end where it cannot win, at least so much is said.
      const double other = std::max(cast.direct.seconds, unpacked.desymmetrised->seconds());
      EXPECT_TRUE(std::any_of(rivals.begin(), rivals.end(), [&](const Rival& rival) {
        if (any.desymmetrised) return rival.seconds == other;
        return rival.name.starts_with("desymmetrise") && rival.seconds >= best && rival.seconds <= other;
      }));
    }
  }
}

TEST(Desymmetrise, PlansSaySo) {
  const MachineModel machine;
  const auto packed = std::make_shared<const symmetry::Shape>(Extents{60, 60}, symmetric(0, 1));
  WrittenStatement s;
  s.output = {std::make_shared<const symmetry::Shape>(Extents{60, 60}, Symmetry{}), "ia"};
  s.terms = {{{packed, "ik"}, {packed, "ka"}}};
  std::vector<Place> places;
  for (const ShapePointer& shape : {s.output.shape, packed, packed}) {
    places.push_back({layout::default_layout(*shape, 4)});
  }
  const DistributedPlan plan = plan_distributed(plan_statement(notation::bind(s), machine, Options{.threads = 1}),
                                                places, true, 4, machine, {-1, 0, Strategy::desymmetrise});
  ASSERT_GE(plan.nodes.size(), 2U);
  EXPECT_EQ(plan.nodes.size(), plan.local.nodes.size());
  EXPECT_EQ(plan.local.nodes[0].kind, NodeKind::map);
  EXPECT_TRUE(plan.local.is_temporary(plan.local.nodes[0].out.slot));
  std::ostringstream text;
  text << plan;
  EXPECT_NE(text.str().find("desymmetrise, then "), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("element by element, unpacked"), std::string::npos) << text.str();
}

}  // namespace
}  // namespace ricci::planning
