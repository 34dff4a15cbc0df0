// Statements that are planned together, without MPI.
#include "plan/sequence.hpp"

#include <gtest/gtest.h>

namespace ricci::planning {
namespace {

using notation::WrittenStatement;

/// Tensors by letter, and statements such as {"C", "ij", {{"A", "ik"}, {"B", "kj"}}}.
class SequenceCase {
 public:
  explicit SequenceCase(int ranks, int runs = 1) {
    sequence_.ranks = ranks;
    sequence_.runs = runs;
  }

  SequenceCase& tensor(char name, Extents extents, Symmetry symmetry = {}, std::optional<Layout> pinned = {}) {
    names_ += name;
    const auto shape = std::make_shared<const symmetry::Shape>(std::move(extents), std::move(symmetry));
    const Layout layout = pinned ? *pinned : layout::default_layout(*shape, sequence_.ranks);
    sequence_.tensors.push_back({shape, layout, pinned.has_value()});
    return *this;
  }

  using Factor = std::pair<char, std::string>;
  SequenceCase& assign(const Factor& output, const std::vector<Factor>& factors) { return add(output, factors, true); }
  SequenceCase& accumulate(const Factor& output, const std::vector<Factor>& factors) {
    return add(output, factors, false);
  }

  std::vector<DistributedPlan> plan() const {
    std::vector<DistributedPlan> plans;
    for (auto& plan : plan_sequence(sequence_, machine_)) plans.push_back(std::move(*plan));
    return plans;
  }
  const Layout& layout(char name) const { return sequence_.tensors[number(name)].layout; }

 private:
  int number(char name) const { return static_cast<int>(names_.find(name)); }

  SequenceCase& add(const Factor& output, const std::vector<Factor>& factors, bool overwrite) {
    WrittenStatement written;
    written.output = {sequence_.tensors[number(output.first)].shape, output.second};
    written.overwrite = overwrite;
    written.terms.emplace_back();
    std::vector<int> tensors{number(output.first)};
    for (const auto& [name, labels] : factors) {
      tensors.push_back(number(name));
      written.terms[0].push_back({sequence_.tensors[number(name)].shape, labels, false, name == output.first});
    }
    sequence_.statements.push_back(
        {plan_statement(notation::bind(written), machine_, Options{.threads = 1}), std::move(tensors)});
    sequence_.goals.emplace_back();
    return *this;
  }

  std::string names_;
  Sequence sequence_;
  MachineModel machine_;
};

SequenceCase product(int ranks, int runs) {
  return SequenceCase(ranks, runs)
      .tensor('A', {2048, 2048})
      .tensor('B', {2048, 2048})
      .tensor('C', {2048, 2048})
      .assign({'C', "ij"}, {{'A', "ik"}, {'B', "kj"}});
}

TEST(Sequence, AStatementByItselfTakesItsOperandsWhereTheyAre) {
  const auto plans = product(8, 1).plan();
  EXPECT_TRUE(plans[0].moves.empty());
  EXPECT_EQ(plans[0].nodes[0].spread.words, 2'097'152);
}

TEST(Sequence, ForManyRunsOperandsAreMovedOnce) {
  const auto plans = product(8, 100).plan();
  EXPECT_FALSE(plans[0].moves.empty());
  // 2x2x2: of every tensor a quarter, less the eighth that it has.
  EXPECT_EQ(plans[0].nodes[0].spread.words, 3 * 2048 * 2048 / 8);
}

TEST(Sequence, WhatTheUserHasPlacedIsNotMoved) {
  const Layout rows(Grid{8}, {{0}, {}});
  SequenceCase test(8, 1000);
  test.tensor('A', {512, 512}, {}, rows).tensor('B', {512, 512}, {}, rows).tensor('C', {512, 512}, {}, rows);
  const auto plans = test.assign({'C', "ij"}, {{'A', "ik"}, {'B', "kj"}}).plan();
  EXPECT_TRUE(plans[0].moves.empty());
  for (const Layout& layout : plans[0].layouts) EXPECT_EQ(layout, rows);
  EXPECT_EQ(plans[0].output, rows);
}

TEST(Sequence, AStatementFindsTensorsWhereTheOneBeforeLeavesThem) {
  SequenceCase test(4);
  test.tensor('A', {40, 400}).tensor('B', {400, 600}).tensor('C', {40, 600}).tensor('D', {40, 400});
  test.assign({'C', "ij"}, {{'A', "ik"}, {'B', "kj"}}).assign({'D', "ik"}, {{'C', "ij"}, {'B', "kj"}});
  const auto plans = test.plan();
  EXPECT_EQ(plans[1].before[1], plans[0].output);
  EXPECT_EQ(plans[1].before[2], plans[0].layouts[2]);
}

// One move for many readers pays even in a single run.
TEST(Sequence, ManyReadersAreWorthAMove) {
  const DistributedPlan ideal = product(8, 100).plan()[0];
  SequenceCase test(8);
  test.tensor('B', {2048, 2048});
  const std::string outputs = "CDEFGHIJ", inputs = "cdefghij";
  for (const char name : outputs) test.tensor(name, {2048, 2048});
  for (const char name : inputs) test.tensor(name, {2048, 2048}, {}, ideal.layouts[1]);
  for (std::size_t i = 0; i < outputs.size(); ++i) test.assign({outputs[i], "ij"}, {{inputs[i], "ik"}, {'B', "kj"}});
  const auto plans = test.plan();
  for (std::size_t s = 0; s < plans.size(); ++s) {
    EXPECT_EQ(plans[s].moves.size(), s == 0 ? 1U : 0U) << s;
    EXPECT_EQ(plans[s].nodes[0].spread.words, 3 * 2048 * 2048 / 8) << s;
  }
}

double seconds_of(const std::vector<DistributedPlan>& plans) {
  double seconds = 0;
  for (const DistributedPlan& plan : plans) {
    seconds += plan.seconds();
    for (const TensorMove& move : plan.moves) seconds += move.cost.seconds;
  }
  return seconds;
}

TEST(Sequence, TogetherIsNeverSlowerThanOneByOne) {
  for (const int ranks : {2, 4, 6, 16}) {
    const std::int64_t o = 12, v = 40;
    const Symmetry pairs = antisymmetric(0, 1) * antisymmetric(2, 3);
    SequenceCase test(ranks);
    test.tensor('V', {v, v, v, v}, pairs).tensor('T', {v, v, o, o}, pairs).tensor('Z', {v, v, o, o}, pairs);
    test.tensor('W', {o, o, o, o}, pairs).tensor('F', {v, v});
    test.assign({'Z', "abij"}, {{'V', "abef"}, {'T', "efij"}});
    test.accumulate({'Z', "abij"}, {{'W', "mnij"}, {'T', "abmn"}});
    test.accumulate({'Z', "abij"}, {{'F', "ae"}, {'T', "ebij"}});
    const auto together = test.plan();
    // One by one: each from the layouts that the ones before leave, nothing moved for the sake of the next.
    double alone = 0;
    Layout z = test.layout('Z');
    const auto named = [&](const char* names) {
      std::vector<Place> places{{z}};
      for (const char* name = names; *name != 0; ++name) places.push_back({test.layout(*name)});
      return places;
    };
    const char* const operands[] = {"VT", "WT", "FT"};
    for (std::size_t s = 0; s < 3; ++s) {
      const DistributedPlan plan =
          plan_distributed(together[s].local, named(operands[s]), false, ranks, MachineModel{}, {});
      alone += seconds_of({plan});
      z = plan.output;
    }
    EXPECT_LE(seconds_of(together), alone * (1 + 1e-12)) << ranks;
  }
}

}  // namespace
}  // namespace ricci::planning
