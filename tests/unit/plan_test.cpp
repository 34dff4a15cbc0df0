// Plans of statements on one rank: what they print, what they cost, and what the verifier makes of broken ones.
#include <functional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "plan/local_plan.hpp"

namespace ricci::planning {
namespace {

using notation::ShapePointer;
using notation::WrittenStatement;
using testing::HasSubstr;

const Symmetry pairs = antisymmetric(0, 1) * antisymmetric(2, 3);

ShapePointer shape(Extents extents, Symmetry symmetry = {}) {
  return std::make_shared<const symmetry::Shape>(std::move(extents), std::move(symmetry));
}

/// On a machine of 40 GF/s and 20 GB/s.
LocalPlan plan_of(const WrittenStatement& written) {
  return plan_statement(notation::bind(written), MachineModel{}, Options{.threads = 1});
}

WrittenStatement ladder(bool overwrite) {
  WrittenStatement s;
  s.output = {shape({6, 6, 4, 4}, pairs), "abij"};
  s.overwrite = overwrite;
  s.terms = {{{shape({6, 6, 6, 6}, pairs), "abef"}, {shape({6, 6, 4, 4}, pairs), "efij"}}};
  return s;
}

WrittenStatement transpose_in_place() {
  const ShapePointer matrix = shape({4, 4});
  WrittenStatement s;
  s.output = {matrix, "ij"};
  s.terms = {{{matrix, "ji", false, true}}};
  return s;
}

std::string text(const LocalPlan& plan) {
  std::ostringstream out;
  out << plan;
  return out.str();
}

TEST(Plan, PrintsTheFoldedLadder) {
  EXPECT_EQ(text(plan_of(ladder(false))), R"(plan: 1 term, double, on each rank
  out   6,6,4,4 [0 1]- [2 3]-  (90 stored, 720 B)
  op1   6,6,6,6 [0 1]- [2 3]-  (225 stored, 1.8 kB)
  op2   6,6,4,4 [0 1]- [2 3]-  (90 stored, 720 B)
   1. contract  out[abij] += c1 * op1[abef] * op2[efij]
                folded: a<b i<j e<f
                2.7 kflop, 3.96 kB, temporaries 0 B, 1.08e-06 s
  total: 2.7 kflop, 3.96 kB, temporaries 0 B, 1.08e-06 s
)");
}

TEST(Plan, PrintsAStatementOnItself) {
  EXPECT_EQ(text(plan_of(transpose_in_place())), R"(plan: 1 term, double, on each rank
  out   4,4  (16 stored, 128 B)
  op1   4,4  (16 stored, 128 B)
  tmp1  4,4  (16 stored, 128 B)
   1. map       tmp1[ij] = c1 * op1[ji]
                16 flop, 256 B, temporaries 128 B, 1.02e-07 s
   2. map       out[m1,m2] = tmp1[m1,m2]
                16 flop, 256 B, temporaries 128 B, 1.02e-07 s
  total: 32 flop, 512 B, temporaries 128 B, 2.05e-07 s
)");
}

TEST(Plan, NamesFoldedPairsWithAndWithoutTheirDiagonal) {
  WrittenStatement s;
  s.output = {shape({5, 5, 4, 4}, symmetric(0, 1) * antisymmetric(2, 3)), "abij"};
  s.terms = {{{shape({5, 5, 6}, symmetric(0, 1)), "abk"}, {shape({6, 4, 4}), "kij"}}};
  EXPECT_EQ(plan_of(s).nodes.at(0).folding, "a<=b i<j, second operand symmetrised, 2 readings");
}

TEST(Plan, CostsThePackedContraction) {
  const LocalPlan adds = plan_of(ladder(false)), overwrites = plan_of(ladder(true));
  ASSERT_EQ(adds.nodes.size(), 1U);
  EXPECT_EQ(adds.nodes[0].products, 15 * 6 * 15);
  EXPECT_EQ(adds.cost.flops, 2 * 15 * 6 * 15);
  EXPECT_EQ(adds.cost.bytes, 8 * (225 + 90 + 2 * 90)) << "the output is read and written";
  EXPECT_EQ(overwrites.cost.bytes, 8 * (225 + 90 + 90)) << "the output is only written";
  EXPECT_FALSE(overwrites.nodes[0].accumulate);
  EXPECT_DOUBLE_EQ(adds.cost.seconds, 2700 / 40e9 + 16 * (3.5 * (225 + 90) + 1.75 * 90) / 20e9)
      << "packed operands are looked for element by element";
  WrittenStatement complex = ladder(false);
  complex.type = ElementType::c64;
  EXPECT_EQ(plan_of(complex).cost.flops, 8 * 15 * 6 * 15) << "a complex multiply-add is eight";
}

TEST(Plan, AProductOfThreeGoesThroughTheCheaperIntermediate) {
  WrittenStatement s;
  s.output = {shape({10, 60}), "il"};
  s.terms = {{{shape({10, 30}), "ij"}, {shape({30, 5}), "jk"}, {shape({5, 60}), "kl"}}};
  const LocalPlan plan = plan_of(s);
  ASSERT_EQ(plan.nodes.size(), 2U);
  EXPECT_EQ(plan.cost.flops, 2 * 4500);
  EXPECT_EQ(describe(plan, plan.nodes[0]), "tmp1[ik] = op1[ij] * op2[jk]");
  EXPECT_EQ(describe(plan, plan.nodes[1]), "out[il] = c1 * tmp1[ik] * op3[kl]");
  EXPECT_EQ(plan.cost.peak_bytes, 10 * 5 * 8);
}

TEST(Plan, ReadsTheWholeRightSideBeforeTheOutputChanges) {
  const ShapePointer matrix = shape({4, 4});
  WrittenStatement square;  // Z["ij"] += Z["ik"] * Z["kj"] - Z["ji"]
  square.output = {matrix, "ij"};
  square.overwrite = false;
  square.terms = {{{matrix, "ik", false, true}, {matrix, "kj", false, true}}, {{matrix, "ji", false, true}}};
  const LocalPlan plan = plan_of(square);
  ASSERT_EQ(plan.nodes.size(), 3U);
  EXPECT_TRUE(plan.is_temporary(plan.nodes[0].out.slot));
  EXPECT_TRUE(plan.is_temporary(plan.nodes[1].out.slot));
  EXPECT_EQ(plan.nodes[2].out.slot, 0);
  EXPECT_TRUE(plan.nodes[2].accumulate);
  EXPECT_EQ(plan.cost.peak_bytes, 4 * 4 * 8);
}

TEST(Plan, WhatTheSymmetriesMakeZeroIsNotComputed) {
  WrittenStatement s;
  s.output = {shape({3, 3}), "ij"};
  s.terms = {{{shape({3, 4, 4}, symmetric(1, 2)), "iab"}, {shape({3, 4, 4}, antisymmetric(1, 2)), "jab"}}};
  const LocalPlan plan = plan_of(s);
  ASSERT_EQ(plan.nodes.size(), 1U);
  EXPECT_EQ(plan.nodes[0].kind, NodeKind::clear);
  EXPECT_EQ(plan.cost.flops, 0);
}

TEST(Plan, AnOutputWithCosetsIsClearedFirst) {
  WrittenStatement s;
  s.output = {shape({5, 5, 3, 3}, pairs), "abij"};
  s.terms = {{{shape({5, 5}), "ae"}, {shape({5, 5, 3, 3}, pairs), "ebij"}}};
  const LocalPlan plan = plan_of(s);
  ASSERT_EQ(plan.nodes.size(), 2U);
  EXPECT_EQ(describe(plan, plan.nodes[0]), "out[abij] = 0");
  EXPECT_TRUE(plan.nodes[1].accumulate);
}

std::string verdict(LocalPlan plan, const std::function<void(LocalPlan&)>& break_it) {
  EXPECT_NO_THROW(verify(plan));
  break_it(plan);
  try {
    verify(plan);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VerifyPlan, RejectsBrokenUses) {
  const LocalPlan plan = plan_of(ladder(true));
  EXPECT_THAT(verdict(plan, [](LocalPlan& p) { p.nodes[0].a.slot = 7; }),
              HasSubstr("first operand's labels do not fit"));
  EXPECT_THAT(verdict(plan, [](LocalPlan& p) { p.nodes[0].b.slot = -5; }),
              HasSubstr("second operand's labels do not fit"));
  EXPECT_THAT(verdict(plan, [](LocalPlan& p) { p.nodes[0].b.slot = Use::none; }),
              HasSubstr("a contraction has one operand"));
  EXPECT_THAT(verdict(plan, [](LocalPlan& p) { p.nodes[0].out.labels.pop_back(); }),
              HasSubstr("output's labels do not fit"));
  EXPECT_THAT(verdict(plan, [](LocalPlan& p) { p.nodes[0].a.labels[0] = 99; }),
              HasSubstr("first operand's labels do not fit"));
  EXPECT_THAT(verdict(plan, [](LocalPlan& p) { std::swap(p.nodes[0].a.labels[0], p.nodes[0].b.labels[2]); }),
              HasSubstr("labels do not fit its slot"))
      << "extents 6 and 4 exchanged";
  EXPECT_THAT(verdict(plan, [](LocalPlan& p) { p.nodes[0].term = 1; }), HasSubstr("names a term that is not there"));
}

TEST(VerifyPlan, RejectsBrokenOrders) {
  const LocalPlan ladder_plan = plan_of(ladder(true)), on_itself = plan_of(transpose_in_place());
  EXPECT_THAT(verdict(ladder_plan, [](LocalPlan& p) { p.nodes.clear(); }), HasSubstr("the output is never written"));
  EXPECT_THAT(verdict(ladder_plan, [](LocalPlan& p) { p.nodes[0].accumulate = true; }),
              HasSubstr("adds to a slot that nothing has written"));
  EXPECT_THAT(verdict(ladder_plan, [](LocalPlan& p) { p.nodes[0].out = p.nodes[0].b; }),
              HasSubstr("it writes to an operand"));
  EXPECT_THAT(verdict(ladder_plan, [](LocalPlan& p) { p.nodes[0].b = p.nodes[0].out; }),
              HasSubstr("it reads what it writes"));
  EXPECT_THAT(verdict(on_itself, [](LocalPlan& p) { std::swap(p.nodes[0], p.nodes[1]); }),
              HasSubstr("at node 0: it reads a slot that nothing has written"));
  EXPECT_THAT(verdict(on_itself, [](LocalPlan& p) { p.nodes.push_back(p.nodes[0]); }),
              HasSubstr("at node 2: it reads the output after changing it"));
}

}  // namespace
}  // namespace ricci::planning
