// The least memory that a refusal names will do, and hardly less.
#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "exec/overhead.hpp"
#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;

/// The number of bytes that a refusal names.
std::int64_t least_in(const std::string& message) {
  const std::size_t at = message.find("at least ");
  EXPECT_NE(at, std::string::npos) << message;
  return at == std::string::npos ? 0 : std::stoll(message.substr(at + 9));
}

/// What the refusal of next to nothing names; the same on all ranks.
std::int64_t least_of(const std::vector<Statement>& statements) {
  return least_in(
      message_of<ResourceError>([&] { ricci::plan(statements, Options{.memory_limit = 1, .threads = 1}); }));
}
std::int64_t least_of(const Statement& statement) { return least_of(std::vector<Statement>{statement}); }

void check(const World& world, Tensor<double>& c, const std::function<Statement()>& statement) {
  ricci::plan(statement(), Options{.threads = 1}).run();
  const std::vector<double> expected = c.gather();
  const std::int64_t least = least_of(statement());
  EXPECT_TRUE(communicator_of(world).consistent(std::to_string(least)));
  EXPECT_THROW(ricci::plan(statement(), Options{.memory_limit = least * 95 / 100, .threads = 1}), ResourceError);
  double before = std::numeric_limits<double>::infinity();
  // Of that, what every process takes would be as much for all of them.
  const std::int64_t fixed = exec::process_overhead(least, world.size()), own = least - fixed;
  for (const std::int64_t limit : {least, fixed + own * 11 / 10, fixed + own * 3 / 2, fixed + own * 2, 4 * least}) {
    c.fill(0);
    const Plan plan = ricci::plan(statement(), Options{.memory_limit = limit, .threads = 1});
    const Report report = plan.run();
    EXPECT_LE(report.measured().peak_bytes, plan.cost().peak_bytes);
    EXPECT_LE(plan.cost().seconds, before * 1.05) << limit << " of " << least;  // chosen from a count of two ranks
    before = plan.cost().seconds;
    const std::vector<double> got = c.gather();
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-9) << limit;
  }
}

TEST(MemoryLimit, OfAMatrixProduct) {
  const World world;
  Tensor<double> a(world, {300, 280}), b(world, {280, 260}), c(world, {300, 260});
  a.fill_random(1);
  b.fill_random(2);
  check(world, c, [&] { return c["ij"].assign(a["ik"] * b["kj"]); });
}

TEST(MemoryLimit, OfPairs) {
  const World world;
  const Symmetry pairs = antisymmetric(0, 1) * antisymmetric(2, 3);
  Tensor<double> v(world, {14, 14, 14, 14}, pairs), t(world, {14, 14, 6, 6}, pairs), z(world, {14, 14, 6, 6}, pairs);
  v.fill_random(1);
  t.fill_random(2);
  check(world, z, [&] { return z["abij"].assign(v["abef"] * t["efij"]); });
}

TEST(MemoryLimit, OfSeveralTerms) {
  const World world;
  Tensor<double> a(world, {90, 80}), b(world, {80, 90}), c(world, {90, 90});
  a.fill_random(1);
  b.fill_random(2);
  check(world, c, [&] { return c["ij"].assign(a["ik"] * b["kl"] * a["lm"] * b["mj"] + 2.0 * b["ki"] * a["jk"]); });
}

/// Of 2048 x 2048 elements: what comes to the fullest rank in the last of some runs, in millions of words.
double words_within(double limit, int runs) {
  const World world;
  constexpr std::int64_t n = 2048;
  Tensor<double> a(world, {n, n}), b(world, {n, n}), c(world, {n, n});
  a.fill_random(1);
  b.fill_random(2);
  const auto bytes = static_cast<std::int64_t>(limit);
  const Plan plan =
      ricci::plan(c["ij"].assign(a["ik"] * b["kj"]), Options{.memory_limit = bytes, .threads = 1, .runs = runs});
  std::int64_t received = 0;
  for (int run = 0; run < std::min(runs, 2); ++run) received = plan.run().measured().received_bytes;
  Tensor<double> expected(world, {n, n});
  expected["ij"] = a["ik"] * b["kj"];
  expected["ij"] -= c["ij"];
  EXPECT_LE(expected.max_abs(), 1e-9);
  return static_cast<double>(communicator_of(world).all_reduce(received, comm::Operation::max)) / 8e6;
}

/// What a rank receives on the best grid of two dimensions if it has its share of the operands, in millions of words.
double words_on_best_grid(int ranks) {
  double least = std::numeric_limits<double>::infinity();
  for (int rows = 1; rows <= ranks; ++rows) {
    if (ranks % rows == 0) least = std::min(least, 1.0 / rows + static_cast<double>(rows) / ranks - 2.0 / ranks);
  }
  return least * 2048 * 2048 / 1e6;
}

TEST(MemoryLimit, OfHardlyMoreThanTheMatricesOfAProduct) {
  const int ranks = World().size();
  EXPECT_LE(words_within(1.15 * 3 * 2048 * 2048 * 8 / ranks, 1), words_on_best_grid(ranks) + 0.003);
}

// COSMA's figures are for 4 and 8 ranks, among others.
TEST(MemoryLimit, OfAsMuchAsCosmaUsesForAProduct) {
  const int ranks = World().size();
  const double memory = ranks == 4 ? 7.3e6 : ranks == 8 ? 4.7e6 : 1.7 * 3 * 2048 * 2048 / ranks;
  EXPECT_LE(words_within(memory * 8, 100), ranks == 8 ? 1.575 : words_on_best_grid(ranks) + 0.003);
}

TEST(MemoryLimit, CountsOtherTensors) {
  const World world;
  Tensor<double> a(world, {60, 60}), b(world, {60, 60}), c(world, {60, 60});
  const auto statement = [&] { return c["ij"].assign(a["ik"] * b["kj"]); };
  const std::int64_t alone = least_of(statement());
  const Plan plan = ricci::plan(statement(), Options{.memory_limit = alone, .threads = 1});
  {
    const Tensor<double> other(world, {std::int64_t{world.size()} * 1000});
    EXPECT_EQ(least_of(statement()), alone + 8000);
    EXPECT_THROW(plan.run(), ResourceError);  // made when there was more room
  }
  plan.run();
}

TEST(MemoryLimit, AStatementIsPlannedAnewWhereRoomHasShrunk) {
  World world;
  Tensor<double> a(world, {200, 200}), b(world, {200, 200}), c(world, {200, 200});
  a.fill_random(1);
  b.fill_random(2);
  const std::int64_t least = least_of(c["ij"].assign(a["ik"] * b["kj"]));
  c["ij"] = a["ik"] * b["kj"];
  const std::vector<double> expected = c.gather();
  world.set_options(Options{.memory_limit = 4 * least, .threads = 1});
  for (const std::int64_t room : {4 * least, 2 * least, least}) {
    const std::int64_t elements = (4 * least - room) / 8;
    const Tensor<double> other(world, {elements * world.size()});
    c["ij"] = a["ik"] * b["kj"];
    const std::vector<double> got = c.gather();
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-9) << room;
  }
  const Tensor<double> other(world, {4 * least / 8 * world.size()});
  EXPECT_THROW(c["ij"] = a["ik"] * b["kj"], ResourceError);
}

TEST(MemoryLimit, OfARedistribution) {
  World world;
  const int ranks = world.size();
  Tensor<double> a(world, {96, 96});
  a.fill_random(1);
  const std::vector<double> expected = a.gather();
  const Layout rows(Grid{ranks}, {{0}, {}}), columns(Grid{ranks}, {{}, {0}});
  a.redistribute(rows);
  world.set_options(Options{.memory_limit = 96 * 96 * 8 / ranks + 100, .threads = 1});
  if (ranks == 1) {  // nothing moves, so that it takes no more than there is
    a.redistribute(columns);
    EXPECT_EQ(a.gather(), expected);
    return;
  }
  const std::int64_t least = least_in(message_of<ResourceError>([&] { a.redistribute(columns); }));
  EXPECT_EQ(a.layout(), rows);
  world.set_options(Options{.memory_limit = least - 1, .threads = 1});
  EXPECT_THROW(a.redistribute(columns), ResourceError);
  world.set_options(Options{.memory_limit = least, .threads = 1});
  a.redistribute(columns);
  EXPECT_EQ(a.layout(), columns);
  EXPECT_EQ(a.gather(), expected);
}

// The second statement leaves its operand elsewhere than the first one wants it, so that a second run moves it back.
TEST(MemoryLimit, OfStatementsThatAreRunAgain) {
  const World world;
  Tensor<double> a(world, {200, 180}), b(world, {180, 160}), c(world, {200, 160}), d(world, {180, 180});
  a.fill_random(1);
  b.fill_random(2);
  const std::vector<Statement> statements{c["ij"].assign(a["ik"] * b["kj"]), d["kl"].assign(a["ik"] * a["il"]),
                                          b["kj"].add(d["kl"] * b["lj"])};
  const std::int64_t least = least_of(statements);
  for (const std::int64_t limit : {least, 2 * least, 4 * least}) {
    const Plan plan = ricci::plan(statements, Options{.memory_limit = limit, .threads = 1, .runs = 3});
    for (int run = 0; run < 3; ++run) {
      const Report report = plan.run();
      EXPECT_LE(report.measured().peak_bytes, report.predicted().peak_bytes) << limit << ", run " << run;
    }
  }
}

}  // namespace
}  // namespace ricci_test
