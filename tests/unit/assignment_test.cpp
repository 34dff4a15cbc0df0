// Assignments as a user writes them: order of evaluation, plans, extreme extents and orders.
#include <sstream>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "shared_world.hpp"

namespace ricci {
namespace {

using Values = std::vector<double>;

Tensor<double> matrix(std::int64_t rows, std::int64_t columns, const Values& values) {
  Tensor<double> tensor(shared_world(), {rows, columns});
  tensor.assign_dense(values);
  return tensor;
}

const Values one_to_four = {1, 2, 3, 4};

TEST(Assignment, TheRightSideIsEvaluatedFirst) {
  Tensor<double> a = matrix(2, 2, one_to_four);
  a["ij"] = a["ji"];
  EXPECT_EQ(a.gather(), (Values{1, 3, 2, 4}));
  a["ij"] = a["ik"] * a["kj"];
  EXPECT_EQ(a.gather(), (Values{7, 15, 10, 22}));
  a["ij"] -= a["ij"];
  EXPECT_EQ(a.gather(), Values(4, 0.0));
}

TEST(Assignment, AssignmentFromIndexedCopiesElements) {
  const Tensor<double> a = matrix(2, 2, one_to_four);
  Tensor<double> b(shared_world(), {2, 2});
  b["ij"] = a["ij"];
  EXPECT_EQ(b.gather(), one_to_four);
  Indexed left = b["ij"];
  left = a["ji"];
  EXPECT_EQ(b.gather(), (Values{1, 3, 2, 4}));
}

TEST(Assignment, StatementsPlanAndRunInOrder) {
  Tensor<double> a = matrix(2, 2, one_to_four), b(shared_world(), {2, 2}), c(shared_world(), {2, 2});
  const Plan plan = ricci::plan({b["ij"].assign(a["ji"]), c["ij"].assign(b["ik"] * a["kj"])});
  EXPECT_EQ(b.gather(), Values(4, 0.0)) << "planning runs nothing";
  std::ostringstream out;
  out << plan << plan.run();
  EXPECT_NE(out.str().find(plan.explain()), std::string::npos);
  EXPECT_EQ(c.gather(), (Values{10, 14, 14, 20}));
  plan.run();
  EXPECT_EQ(c.gather(), (Values{10, 14, 14, 20}));
}

TEST(Assignment, ExtentsZeroAndOne) {
  const World& world = shared_world();
  Tensor<double> none(world, {3, 0}), one(world, {3, 1}), c(world, {3, 3});
  c.fill(5.0);
  one.fill(2.0);
  c["ij"] += none["ik"] * none["jk"];
  EXPECT_EQ(c.gather(), Values(9, 5.0)) << "a sum over nothing adds zero";
  c["ij"] = one["ik"] * one["jk"];
  EXPECT_EQ(c.gather(), Values(9, 4.0));
  c["ij"] = none["ik"] * none["jk"];
  EXPECT_EQ(c.gather(), Values(9, 0.0));
  EXPECT_EQ(static_cast<double>(Expression(none["ij"]).value()), 0.0);
}

TEST(Assignment, OrderSixteen) {
  const World& world = shared_world();
  Tensor<double> big(world, Extents(16, 2)), reversed(world, Extents(16, 2));
  big.fill_random(1);
  reversed["ponmlkjihgfedcba"] = big["abcdefghijklmnop"];
  const auto from = big.gather(), to = reversed.gather();
  for (std::size_t key = 0; key < from.size(); ++key) {
    std::size_t mirrored = 0;
    for (int bit = 0; bit < 16; ++bit) mirrored |= ((key >> bit) & 1U) << (15 - bit);
    ASSERT_EQ(to[mirrored], from[key]);
  }
  const double norm = (big["abcdefghijklmnop"] * big["abcdefghijklmnop"]).value();
  EXPECT_NEAR(norm, static_cast<double>(big.norm2()) * static_cast<double>(big.norm2()), 1e-8 * norm);
  const Tensor<double> packed(world, Extents(16, 2), symmetric(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(packed.stored_size(), 9 * 256);
}

TEST(Assignment, DocumentedCoupledClusterStatements) {
  const World& world = shared_world();
  const Symmetry anti = antisymmetric(0, 1) * antisymmetric(2, 3);
  Tensor<double> V(world, {4, 4, 4, 4}, anti), T(world, {4, 4, 2, 2}, anti), Z(world, {4, 4, 2, 2}, anti);
  V.fill_random(1);
  T.fill_random(7);
  Z["abij"] += 0.5 * V["abef"] * T["efij"];
  Z["abij"] -= V["abef"] * (T["efij"] + 2.0 * Z["efij"]);
  const double e = (0.25 * V["abef"] * V["abef"]).value();
  EXPECT_NEAR(e, 0.25 * V.norm2() * V.norm2(), 1e-10);
  const Statement s = Z["abij"].add(0.5 * V["abef"] * T["efij"]);
  const Plan plan = ricci::plan(s, Options{.memory_limit = 1 << 30});
  const Report report = plan.run();
  EXPECT_GT(report.lines.size(), 0U);
}

}  // namespace
}  // namespace ricci
