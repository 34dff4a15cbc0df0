// The programs of all ranks, run in one process, against the oracle of the property tests.
#include "plan/block_program.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "oracle_case.hpp"
#include "property/random_statement.hpp"

namespace ricci::planning {
namespace {

using layout::Random;
using ricci_test::Statement;

/// A statement that depends on the seed alone, with extents of at most `longest`.
Statement statement_from(const rc::Gen<Statement>& generator, unsigned seed, int longest) {
  Statement statement = generator(rc::Random(seed), 100).value();
  for (std::int64_t& extent : statement.extents) extent = std::min<std::int64_t>(extent, longest);
  return statement;
}

std::string spreads_text(const DistributedPlan& plan) {
  std::ostringstream out;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const Spread& spread = plan.nodes[n].spread;
    out << spread.blocks << " | " << spread.c << " | " << spread.phases << '\n';
  }
  return out.str();
}

const std::vector<int> rank_counts{1, 2, 3, 4, 6, 8};

/// Tiles and partial sums go from rank to rank wherever they can.
DistributedPlan with_relays(DistributedPlan plan, Random& random) {
  for (SpreadNode& node : plan.nodes) {
    for (Relay& relay : node.spread.fetch) {
      relay = {random.below(2) == 0 ? Relay::Way::tree : Relay::Way::chain, 1 + random.below(4)};
    }
    node.spread.sums = Relay::Way::tree;
  }
  return plan;
}

void expect_random_plans_right(const rc::Gen<Statement>& generator, unsigned seeds, int longest) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int ranks = rank_counts[random.below(static_cast<int>(rank_counts.size()))];
    const OracleCase test(statement_from(generator, seed, longest), ranks, random);
    test.expect_right(test.plan({}));
    for (int i = 0; i < 3; ++i) {
      const int rival = 1 + random.below(1000);
      SCOPED_TRACE(testing::Message() << "rival " << rival);
      test.expect_right(test.plan({-1, rival}));
    }
    test.expect_right(test.plan({random.below(200), 0}));
    test.expect_right(with_relays(test.plan({-1, 1 + random.below(1000)}), random));
    test.expect_right(test.plan({-1, 1 + random.below(1000), Strategy::desymmetrise}));
    if (testing::Test::HasFailure()) {
      FAIL() << test.text();
    }
  }
}

TEST(BlockProgram, AnySpreadOfContractions) { expect_random_plans_right(ricci_test::random_contraction(), 30, 4); }

TEST(BlockProgram, AnySpreadOfCoupledCluster) {
  expect_random_plans_right(ricci_test::random_coupled_cluster(), 15, 3);
}

TEST(BlockProgram, AnySpreadOfAnyStatement) { expect_random_plans_right(ricci_test::random_statement(), 40, 4); }

/// Every spread that the search can think of, each once. How many there were.
std::size_t expect_all_spreads_right(const OracleCase& test, int most) {
  std::set<std::string> seen;
  int since_new = 0;
  for (int rival = 1; since_new < 200 && static_cast<int>(seen.size()) < most; ++rival) {
    const DistributedPlan plan = test.plan({-1, rival});
    const bool is_new = seen.insert(spreads_text(plan)).second;
    since_new = is_new ? 0 : since_new + 1;
    if (!is_new) continue;
    test.expect_right(plan);
    if (testing::Test::HasFailure()) break;
  }
  return seen.size();
}

Statement contraction(const std::vector<std::string>& labels, const std::vector<std::vector<ricci_test::Group>>& groups,
                      std::array<std::int64_t, 3> extents) {
  Statement statement;
  statement.extents = extents;
  statement.how = ricci_test::Assignment::assign;
  statement.data_seed = 7;
  for (std::size_t tensor = 0; tensor < labels.size(); ++tensor) {
    ricci_test::TensorShape& shape = statement.tensors.emplace_back();
    for (const char label : labels[tensor]) shape.spaces.push_back(ricci_test::space_of(label));
    shape.groups = groups[tensor];
  }
  statement.output = labels[0];
  ricci_test::Term term;
  for (int tensor = 1; tensor < static_cast<int>(labels.size()); ++tensor) {
    term.factors.push_back({tensor, labels[static_cast<std::size_t>(tensor)]});
  }
  statement.terms.push_back(term);
  return statement;
}

using ricci_test::GroupKind;

TEST(BlockProgram, EverySpreadOfAMatrixProduct) {
  for (int ranks : {2, 4, 6}) {
    Random random(static_cast<unsigned>(ranks));
    const OracleCase test(contraction({"ab", "ai", "ib"}, {{}, {}, {}}, {7, 6, 1}), ranks, random);
    EXPECT_GT(expect_all_spreads_right(test, 2000), 10U) << test.text();
  }
}

TEST(BlockProgram, EverySpreadOfAnAntisymmetricLadder) {
  const std::vector<ricci_test::Group> pairs{{{0, 1}, GroupKind::antisymmetric}, {{2, 3}, GroupKind::antisymmetric}};
  for (int ranks : {2, 3, 4}) {
    Random random(static_cast<unsigned>(ranks));
    const OracleCase test(contraction({"abij", "abcd", "cdij"}, {pairs, pairs, pairs}, {4, 3, 1}), ranks, random);
    EXPECT_GT(expect_all_spreads_right(test, 150), 10U) << test.text();
  }
}

TEST(BlockProgram, EverySpreadThatBreaksGroups) {
  const auto group = [](std::vector<int> modes, GroupKind kind) {
    return std::vector<ricci_test::Group>{{modes, kind}};
  };
  for (const GroupKind kind : {GroupKind::symmetric, GroupKind::antisymmetric, GroupKind::hollow}) {
    for (int ranks : {2, 4}) {
      Random random(static_cast<unsigned>(ranks));
      // A triple of A of which one label is contracted, and a pair of C that comes from both operands.
      const OracleCase test(
          contraction({"abc", "abd", "dc"}, {group({0, 2}, kind), group({0, 1, 2}, kind), {}}, {5, 1, 1}), ranks,
          random);
      EXPECT_GT(expect_all_spreads_right(test, 100), 5U) << test.text();
    }
  }
}

}  // namespace
}  // namespace ricci::planning
