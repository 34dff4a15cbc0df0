// Plans on several ranks say what they send, and send it.
#include <sstream>

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

/// The words of the first line that begins with this one.
std::vector<std::string> words_after(const std::string& text, const std::string& first) {
  std::istringstream lines(text);
  for (std::string line, word; std::getline(lines, line);) {
    std::vector<std::string> words;
    for (std::istringstream in(line); in >> word;) words.push_back(word);
    if (!words.empty() && words[0] == first) return words;
  }
  return {};
}

TEST(PlanOnRanks, ReportsPrintWhatTheySend) {
  const World world;
  Tensor<double> a(world, {12, 12}), c(world, {12, 12});
  a.redistribute(Layout(Grid{world.size()}, {{0}, {}}));
  const Report report = ricci::plan(c["ij"].assign(a["ji"])).run();
  // Every rank has its rows, which go to all others.
  const std::int64_t rows = 12 / world.size() + (world.rank() < 12 % world.size() ? 1 : 0);
  const std::string sent = std::to_string(rows * 12 * 8 * (world.size() - 1));
  std::ostringstream text;
  text << report;
  const std::vector<std::string> total = words_after(text.str(), "total");
  ASSERT_EQ(total.size(), 6U) << text.str();
  EXPECT_EQ(total[4], sent) << text.str();
  EXPECT_EQ(total[5], sent) << text.str();
  if (world.size() == 1) return;
  const std::vector<std::string> gather = words_after(text.str(), "gather");
  ASSERT_GE(gather.size(), 2U) << text.str();
  EXPECT_EQ(gather.back(), sent) << text.str();
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
