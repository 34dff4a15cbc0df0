// Plans on several ranks say what they send, and send it.
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
  EXPECT_EQ(plan.explain().find("receives") != std::string::npos, world.size() > 1);
  const Report report = plan.run();
  EXPECT_EQ(report.measured().network_bytes, report.predicted().network_bytes);
  EXPECT_EQ(plan.cost().network_bytes, report.predicted().network_bytes);
  EXPECT_EQ(report.measured().network_bytes > 0, world.size() > 1);
  EXPECT_EQ(report.measured().received_bytes, report.predicted().received_bytes);
  EXPECT_EQ(plan.cost().received_bytes, report.predicted().received_bytes);
}

/// A hollow group of three labels, one of which is antisymmetrised with another label: the symmetry of the other two
/// must not get lost where a tile is symmetrised once for several blocks.
TEST(PlanOnRanks, WhatIsLeftOfABrokenGroupStays) {
  for (int rival = 0; rival < 12; ++rival) {
    World world;
    world.set_options(Options{.threads = 1, .rival = rival});
    Tensor<double> a(world, {3, 3, 3, 3}, hollow(0, 1, 2));
    Tensor<double> c(world, {3, 3, 3, 3, 2}, hollow(0, 1) * antisymmetric(2, 3));
    a.fill_random(3);
    c.redistribute(Layout::parse("a:* b:* c:* d:* e:*/2", Grid{world.size()}));
    c["bcadi"] = a["abcd"];
    const std::vector<double> from = a.gather(), got = c.gather();
    const auto at = [&](int p, int q, int r, int s) { return from[((p * 3 + q) * 3 + r) * 3 + s]; };
    for (int key = 0; key < 162; ++key) {
      const int e = key / 2, j = e / 27, k = e / 9 % 3, i = e / 3 % 3, l = e % 3;
      ASSERT_NEAR(got[key], at(i, j, k, l) - at(l, j, k, i), 1e-14) << "element " << key << " with plan " << rival;
    }
  }
}

TEST(PlanOnRanks, JsonSaysWhatTheTextSays) {
  const World world;
  Tensor<double> a(world, {12, 12}), b(world, {12, 12}), c(world, {12, 12});
  const auto json = nlohmann::json::parse(ricci::plan(c["ij"].assign(a["ik"] * b["kj"])).json());
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["ranks"], world.size());
  const auto& node = json[0]["nodes"][0];
  EXPECT_EQ(node["kind"], "contract");
  if (world.size() == 1) return;
  int ranks = 1;
  for (const auto& extent : node["spread"]["grid"]) ranks *= extent.get<int>();
  EXPECT_EQ(ranks, world.size());
  EXPECT_GT(node["spread"]["words"], 0);
  EXPECT_TRUE(node["spread"]["classes"].contains("k"));
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
  c.redistribute(Layout(Grid{world.size()}, {{0}, {}}));
  const Report report = ricci::plan(c["ij"].assign(a["ji"])).run();
  // Every rank has its rows, and sends of each what does not stay in its column.
  const std::int64_t rows = 12 / world.size() + (world.rank() < 12 % world.size() ? 1 : 0);
  const std::string sent = std::to_string(rows * (12 - rows) * 8);
  std::ostringstream text;
  text << report;
  const std::vector<std::string> total = words_after(text.str(), "total");
  ASSERT_EQ(total.size(), 6U) << text.str();
  EXPECT_EQ(total[4], sent) << text.str();
  EXPECT_EQ(total[5], sent) << text.str();
}

TEST(PlanOnRanks, NothingMovesWhereAllIsInPlace) {
  const World world;
  Tensor<double> a(world, {6, 6}), c(world, {6, 6});
  EXPECT_EQ(ricci::plan(c["ij"].assign(a["ij"])).cost().network_bytes, 0);
  a.redistribute(Layout::replicated(2, world.size()));
  EXPECT_EQ(ricci::plan(c["ij"].assign(a["ji"])).cost().network_bytes, 0);
}

TEST(PlanOnRanks, OutputsAreLeftWhereTheyAreMade) {
  const World world;
  Tensor<double> a(world, {4, 40}), b(world, {40, 60}), c(world, {4, 60}), fixed(world, {4, 60});
  a.fill_random(1);
  b.fill_random(2);
  const Layout home(Grid{world.size()}, {{0}, {}});
  fixed.redistribute(home);
  fixed["ij"] = a["ik"] * b["kj"];
  EXPECT_EQ(fixed.layout(), home);
  c["ij"] = a["ik"] * b["kj"];
  const std::vector<double> left = fixed.gather(), right = c.gather();
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-12);
}

TEST(PlanOnRanks, PlansRunAgain) {
  const World world;
  Tensor<double> a(world, {4, 40}), b(world, {40, 60}), c(world, {4, 60});
  a.fill_random(1);
  b.fill_random(2);
  const Plan plan = ricci::plan(c["ij"].add(a["ik"] * b["kj"]));
  plan.run();
  const std::vector<double> once = c.gather();
  plan.run();
  const std::vector<double> twice = c.gather();
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(twice[i], 2 * once[i], 1e-12);
}

TEST(PlanOnRanks, StatementsOfAPlanUseOneAnothersOutputs) {
  const World world;
  Tensor<double> a(world, {4, 40}), b(world, {40, 60}), c(world, {4, 60}), d(world, {4, 40});
  a.fill_random(1);
  b.fill_random(2);
  const Plan plan = ricci::plan(
      {c["ij"].assign(a["ik"] * b["kj"]), d["ik"].assign(c["ij"] * b["kj"]), d["ik"].add(c["ij"] * b["kj"])});
  plan.run();
  plan.run();
  const std::vector<double> planned = d.gather();
  c["ij"] = a["ik"] * b["kj"];
  d["ik"] = 2.0 * c["ij"] * b["kj"];
  const std::vector<double> direct = d.gather();
  for (std::size_t i = 0; i < planned.size(); ++i) EXPECT_NEAR(planned[i], direct[i], 1e-10);
}

TEST(PlanOnRanks, PlansForManyRunsMoveOperandsOnce) {
  const World world;
  Tensor<double> a(world, {64, 64}), b(world, {64, 64}), c(world, {64, 64}), expected(world, {64, 64});
  a.fill_random(1);
  b.fill_random(2);
  expected["ij"] = a["ik"] * b["kj"];
  const std::vector<double> wanted = expected.gather();
  const Plan plan = ricci::plan(c["ij"].assign(a["ik"] * b["kj"]), Options{.threads = 1, .runs = 1'000'000});
  const Report first = plan.run();
  const Layout after = a.layout();
  const Report second = plan.run();
  EXPECT_EQ(a.layout(), after);
  EXPECT_LE(second.lines.size(), first.lines.size());
  EXPECT_EQ(plan.cost().network_bytes, first.predicted().network_bytes);
  for (const Report& report : {first, second}) {
    EXPECT_EQ(report.predicted().network_bytes, report.measured().network_bytes);
    EXPECT_EQ(report.predicted().received_bytes, report.measured().received_bytes);
  }
  const std::vector<double> got = c.gather();
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-12);
  if (world.size() != 8) return;
  EXPECT_GT(first.lines.size(), 1U);
  EXPECT_EQ(second.measured().received_bytes, 3 * 64 * 64 / 8 * 8);  // as on 2x2x2 ranks, the least that is possible
}

TEST(PlanOnRanks, WhatTheUserHasPlacedStaysThere) {
  const World world;
  Tensor<double> a(world, {48, 48}), b(world, {48, 48}), c(world, {48, 48});
  a.fill_random(1);
  b.fill_random(2);
  const Layout rows(Grid{world.size()}, {{0}, {}});
  for (Tensor<double>* tensor : {&a, &c}) tensor->redistribute(rows);
  const Plan plan = ricci::plan({c["ij"].assign(a["ik"] * b["kj"]), c["ij"].add(b["ik"] * a["kj"])},
                                Options{.threads = 1, .runs = 1'000'000});
  plan.run();
  EXPECT_EQ(a.layout(), rows);
  EXPECT_EQ(c.layout(), rows);
}

TEST(PlanOnRanks, LoopsOfAKeptPlanDoNotMoveTheOutputBack) {
  const World world;
  Tensor<double> a(world, {4, 40}), b(world, {40, 60}), c(world, {4, 60});
  a.fill_random(1);
  b.fill_random(2);
  const Plan plan = ricci::plan(c["ij"].add(a["ik"] * b["kj"]));
  const std::int64_t first = plan.run().measured().network_bytes;
  const Layout after = c.layout();
  EXPECT_LE(plan.run().measured().network_bytes, first);
  EXPECT_EQ(c.layout(), after);
}

/// Z["kl"] = X["kab"] * Y["abl"] of whole arrays.
std::vector<double> contracted(const std::vector<double>& x, const std::vector<double>& y, std::size_t n) {
  std::vector<double> z(n * n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t ab = 0; ab < n * n; ++ab) {
      for (std::size_t l = 0; l < n; ++l) z[k * n + l] += x[k * n * n + ab] * y[ab * n + l];
    }
  }
  return z;
}

// Two factors that are one tensor cannot be in two layouts: another plan than for two tensors of the same shape.
TEST(PlanOnRanks, ThePlanCacheTellsOneTensorTwiceFromTwo) {
  World world;
  world.set_options(Options{.threads = 1, .runs = 1000});
  const std::int64_t n = 12;
  Tensor<double> x(world, {n, n, n}), y(world, {n, n, n}), z(world, {n, n});
  x.fill_random(1);
  y.fill_random(2);
  const auto expect_product = [&](const Tensor<double>& left, const Tensor<double>& right) {
    const std::vector<double> got = z.gather(), wanted = contracted(left.gather(), right.gather(), n);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-11);
  };
  z["kl"] = x["kab"] * y["abl"];
  expect_product(x, y);
  Tensor<double> u(world, {n, n, n});
  u.fill_random(3);
  z["kl"] = u["kab"] * u["abl"];
  expect_product(u, u);
  // Nor do plans for tensors that may move serve those that may not.
  Tensor<double> v(world, {n, n, n}), w(world, {n, n, n});
  v.fill_random(4);
  w.fill_random(5);
  v.redistribute(v.layout());
  w.redistribute(w.layout());
  const Layout home = v.layout();
  z["kl"] = v["kab"] * w["abl"];
  expect_product(v, w);
  EXPECT_EQ(v.layout(), home);
}

TEST(PlanOnRanks, ATensorTwiceIsMovedOnce) {
  const World world;
  Tensor<double> x(world, {12, 12, 12}), z(world, {12, 12});
  x.fill_random(1);
  const Plan plan = ricci::plan(z["ij"].assign(x["iab"] * x["jab"]), Options{.threads = 1, .runs = 100});
  const std::int64_t predicted = plan.cost().network_bytes;
  EXPECT_EQ(plan.run().measured().network_bytes, predicted);
}

TEST(PlanOnRanks, AnOutputThatWasMovedFromIsAnError) {
  const World world;
  Tensor<double> a(world, {4, 4}), z(world, {4, 4}), other(world, {4, 4});
  const Statement statement = z["ij"].assign(a["ij"]);
  other = std::move(z);
  EXPECT_THROW(ricci::plan(statement, Options{.threads = 1}), InputError);
  EXPECT_THROW(ricci::plan(statement), InputError);
}

TEST(PlanOnRanks, ATensorOutlivesItsWorldUntilItIsOverwritten) {
  const World world;
  Tensor<double> a(world, {6, 6});
  a.fill_random(1);
  Tensor<double> b(world.split(world.rank() % 2), {8, 8});
  b.fill_random(2);
  Tensor<double> c(world.split(0), {5, 5});
  b = a;
  c = std::move(a);
  const std::vector<double> left = b.gather(), right = c.gather();
  EXPECT_EQ(left, right);
}

// From node to node an output may leave its layout and come back to it.
TEST(PlanOnRanks, OutputsMayComeBackToTheirLayout) {
  World world;
  Tensor<double> a(world, {4, 4}), b(world, {4, 4}), c(world, {4, 4}), expected(world, {4, 4});
  a.fill_random(1);
  b.fill_random(2);
  expected.redistribute(Layout::replicated(2, world.size()));
  expected["ij"] = a["ik"] * b["kj"] + b["ik"] * a["kj"] + a["ji"];
  const std::vector<double> wanted = expected.gather();
  for (int rival = 1; rival < 400; ++rival) {
    world.set_options(Options{.threads = 1, .rival = rival});
    c["ij"] = a["ik"] * b["kj"] + b["ik"] * a["kj"] + a["ji"];
    const std::vector<double> got = c.gather();
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted[i], 1e-13) << "plan " << rival;
    c.fill(0);
  }
}

TEST(PlanOnRanks, APlanIsForTheLayoutsItWasMadeFor) {
  const World world;
  if (world.size() == 1) return;
  Tensor<double> a(world, {8, 8}), c(world, {8, 8});
  const Plan plan = ricci::plan(c["ij"].assign(a["ji"]));
  a.redistribute(Layout(Grid{world.size()}, {{}, {0}}));
  EXPECT_THROW(plan.run(), InputError);
}

TEST(PlanOnRanks, LessMemoryForcesLeanerPlans) {
  World world;
  if (world.size() == 1) return;
  Tensor<double> a(world, {240, 240}), b(world, {240, 240}), c(world, {240, 240}), expected(world, {240, 240});
  a.fill_random(1);
  b.fill_random(2);
  const Options all{.threads = 1};
  const auto bytes_of = [&](const Options& options) {
    return ricci::plan(c["ij"].assign(a["ik"] * b["kj"]), options).cost().peak_bytes;
  };
  ricci::plan(expected["ij"].assign(a["ik"] * b["kj"]), all).run();
  // The least that is possible, from the message; it has to do, and a little less has to be refused.
  std::string message;
  try {
    bytes_of(Options{.memory_limit = 1, .threads = 1});
  } catch (const ResourceError& error) {
    message = error.what();
  }
  const std::size_t at = message.find("at least ");
  ASSERT_NE(at, std::string::npos) << message;
  const std::int64_t least = std::stoll(message.substr(at + 9));
  const Options lean{.memory_limit = least, .threads = 1};
  EXPECT_LE(bytes_of(lean), bytes_of(all));
  EXPECT_THROW(bytes_of(Options{.memory_limit = least * 95 / 100, .threads = 1}), ResourceError);
  ricci::plan(c["ij"].assign(a["ik"] * b["kj"]), lean).run();
  const std::vector<double> left = expected.gather(), right = c.gather();
  for (std::size_t i = 0; i < left.size(); ++i) ASSERT_NEAR(left[i], right[i], 1e-11);
}

}  // namespace
}  // namespace ricci_test
