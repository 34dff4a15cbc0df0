// Plans on several ranks say what they send, and send it.
#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

namespace ricci_test {
namespace {

using namespace ricci;

TEST(PlanOnRanks, PredictedBytesAreCounted) {
  const World world;
  const auto anti = antisymmetric(0, 1) * antisymmetric(2, 3);
  Tensor<double> v(world, {8, 8, 8, 8}, anti), t(world, {8, 8, 5, 5}, anti), z(world, {8, 8, 5, 5}, anti);
  v.fill_random(1);
  t.fill_random(2);
  const Plan plan = ricci::plan(z["abij"].add(v["abef"] * t["efij"]));
  EXPECT_EQ(plan.explain().find("gather [abef] on every rank") != std::string::npos, world.size() > 1);
  const Report report = plan.run();
  EXPECT_EQ(report.measured().network_bytes, report.predicted().network_bytes);
  EXPECT_EQ(plan.cost().network_bytes, report.predicted().network_bytes);
  EXPECT_EQ(report.measured().network_bytes > 0, world.size() > 1);
}

TEST(PlanOnRanks, AnOutputThatIsOnlyWrittenIsNotGathered) {
  const World world;
  Tensor<double> a(world, {6, 6}), c(world, {6, 6});
  EXPECT_EQ(ricci::plan(c["ij"].assign(a["ij"])).explain().find("gather [ij]") != std::string::npos, world.size() > 1);
  a.redistribute(Layout::replicated(2, world.size()));
  EXPECT_EQ(ricci::plan(c["ij"].assign(a["ji"])).cost().network_bytes, 0);
}

}  // namespace
}  // namespace ricci_test
