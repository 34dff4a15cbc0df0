// The least memory that a refusal names will do, and hardly less.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;

/// What the refusal of next to nothing names; the same on all ranks.
std::int64_t least_of(const Statement& statement) {
  const std::string message =
      message_of<ResourceError>([&] { ricci::plan(statement, Options{.memory_limit = 1, .threads = 1}); });
  const std::size_t at = message.find("at least ");
  EXPECT_NE(at, std::string::npos) << message;
  return at == std::string::npos ? 0 : std::stoll(message.substr(at + 9));
}

void check(const World& world, Tensor<double>& c, const std::function<Statement()>& statement) {
  ricci::plan(statement(), Options{.threads = 1}).run();
  const std::vector<double> expected = c.gather();
  const std::int64_t least = least_of(statement());
  EXPECT_TRUE(communicator_of(world).consistent(std::to_string(least)));
  EXPECT_THROW(ricci::plan(statement(), Options{.memory_limit = least * 95 / 100, .threads = 1}), ResourceError);
  double before = std::numeric_limits<double>::infinity();
  for (const std::int64_t limit : {least, least * 11 / 10, least * 3 / 2, least * 2, least * 4}) {
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

}  // namespace
}  // namespace ricci_test
