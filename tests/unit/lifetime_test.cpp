// Expressions and plans refer to tensors, which may change shape or give their contents away in the meantime.
#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "shared_world.hpp"

namespace ricci {
namespace {

Tensor<double> matrix(std::int64_t extent) { return Tensor<double>(shared_world(), {extent, extent}); }

TEST(Lifetime, APlanRefusesAnOperandOfAnotherShape) {
  Tensor<double> a = matrix(50), c = matrix(50);
  const Plan plan = ricci::plan(c["ij"].assign(a["ij"]));
  a = matrix(2);
  EXPECT_THROW(plan.run(), InputError);
}

TEST(Lifetime, APlanRefusesAnOutputOfAnotherShape) {
  Tensor<double> a = matrix(50), c = matrix(50);
  const Plan plan = ricci::plan(c["ij"].assign(a["ij"]));
  c = matrix(2);
  EXPECT_THROW(plan.run(), InputError);
}

TEST(Lifetime, AnExpressionRefusesATensorThatWasMovedFrom) {
  Tensor<double> a = matrix(3), b = matrix(3), c = matrix(3);
  const Expression twice = 2.0 * b["ij"];
  const Plan plan = ricci::plan(c["ij"].assign(b["ij"]));
  a = std::move(b);
  EXPECT_THROW((c["ij"] = twice), InputError);
  EXPECT_THROW(plan.run(), InputError);
}

TEST(Lifetime, GenericLambdasAndValuesInExpressions) {
  Tensor<double> a = matrix(3), c = matrix(3);
  a.for_each_local([](auto index, auto& value) { value = static_cast<double>(index[0] + 1); });
  EXPECT_EQ(static_cast<double>(a["ii"].value()), 6.0);
  c["ij"] = a["ii"].value() * a["ij"];
  EXPECT_EQ(c.max_abs(), 18.0);
}

}  // namespace
}  // namespace ricci
