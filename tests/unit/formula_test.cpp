// What the passes make of programs: how cheap, and how it prints.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>
#include <ricci/program.hpp>

#include "api/program_state.hpp"
#include "compile/factorise.hpp"
#include "compile/lifetimes.hpp"
#include "compile/lower_program.hpp"
#include "compile/minimise_operations.hpp"

namespace {

using namespace ricci::compile;

Formula lowered(const std::string& text) { return lower_program(ricci::Program::parse(text).state().program); }

std::string print(const Formula& formula) {
  std::ostringstream out;
  out << formula;
  return out.str();
}

TEST(Formula, TheFourIndexTransformTakesFourSteps) {
  const Formula formula = lowered(R"(
space n = 80
space m = 70
index p q r s : n
index a b c d : m
input A[p,q,r,s] random(1)
input C[a,p] random(2)
output B[a,b,c,d]
B[a,b,c,d] = C[d,s] * C[c,r] * C[b,q] * C[a,p] * A[p,q,r,s]
)");
  const Formula after = minimise_operations(formula);
  EXPECT_EQ(after.operations.size(), 4u);
  const double n = 80, m = 70;
  EXPECT_DOUBLE_EQ(effort(after).flops,
                   2 * (n * n * n * n * m + n * n * n * m * m + n * n * m * m * m + n * m * m * m * m));
  EXPECT_DOUBLE_EQ(effort(formula).flops, 5 * n * n * n * n * m * m * m * m);
}

TEST(Formula, CommonFactorsAreTakenOut) {
  const Formula after = minimise_operations(factorise(lowered(R"(
index i j k l : 10
input A[i,k] random(1)
input B[k,j] random(2)
input C[k,j] random(3)
output D[i,j]
D[i,j] = A[i,k] * B[k,j] + 2 * A[i,l] * C[l,j]
)")));
  EXPECT_EQ(print(after), "_1[j,k] = B[k,j] + 2 * C[k,j]\nD[i,j] = A[i,k] * _1[j,k]\n");
}

TEST(Formula, WhatIsComputedInTwoStatementsIsComputedOnce) {
  const Formula after = minimise_operations(factorise(lowered(R"(
index i j k l : 10
input A[i,k] random(1)
input B[k,j] random(2)
input C[k,j] random(3)
output D[i,j]
output E[i,j]
D[i,j] = A[i,k] * B[k,l] * C[l,j]
E[j,i] = A[j,l] * B[l,k] * C[k,i] + C[j,i]
)")));
  int products = 0;
  for (const Operation& operation : after.operations) {
    for (const Product& term : operation.terms) products += term.factors.size() == 2 ? 1 : 0;
  }
  EXPECT_EQ(products, 2) << print(after);
}

TEST(Formula, AProductIsComputedAgainWhenItsFactorsHaveChanged) {
  const Formula after = minimise_operations(lowered(R"(
index i j k : 10
input A[i,k] random(1)
tensor B[k,j]
output D[i,j]
output E[i,j]
B[k,j] = 2 * A[k,j]
D[i,j] = A[i,k] * B[k,j]
B[k,j] = 3 * A[j,k]
E[i,j] = A[i,k] * B[k,j]
)"));
  EXPECT_EQ(effort(after).flops, 2 * 2 * 1000 + 2 * 100) << print(after);
}

TEST(Formula, LoopsDoNotComputeWhatTheyDoNotChange) {
  const Formula after = minimise_operations(lowered(R"(
index i j k l : 10
input A[i,k] random(1)
input B[k,j] random(2)
output X[i,j]
X[i,j] = A[i,j]
repeat 5 {
  X[i,j] = A[i,k] * B[k,l] * X[l,j]
}
)"));
  EXPECT_EQ(print(after), "X[i,j] = A[i,j]\n_1[i,l] = A[i,k] * B[k,l]\nrepeat 5\n  X[i,j] = _1[i,l] * X[l,j]\nend\n");
}

TEST(Formula, ArraysAreReleasedAfterTheirLastUse) {
  const Formula formula = lowered(R"(
index i j k : 10
input A[i,k] random(1)
tensor T[i,j]
output X[i,j]
repeat 2 {
  T[i,j] = A[i,k] * A[k,j]
  X[i,j] += T[i,j]
}
)");
  std::vector<bool> is_output(formula.arrays.size(), false);
  is_output[2] = true;
  EXPECT_EQ(print(release_early(formula, is_output)),
            "repeat 2\n  T[i,j] = A[i,k] * A[k,j]\n  X[i,j] += T[i,j]\n  release T\nend\nrelease A\n");
}

TEST(Formula, SumsThatWouldBeTooLongAreRefused) {
  std::string sum = "(A[i] + A[i] + A[i] + A[i] + A[i] + A[i] + A[i] + A[i] + A[i] + A[i])";
  std::string program = "index i : 2\ninput A[i] random(1)\noutput X[i]\nX[i] = " + sum;
  for (int n = 0; n < 4; ++n) program += " * " + sum;
  try {
    lowered(program + "\n");
    FAIL() << "nothing was said";
  } catch (const ricci::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("more than 10000 terms"));
  }
}

TEST(Formula, AFormulaThatReadsWhatIsNotThereIsFound) {
  Formula formula = lowered("index i : 2\ninput A[i] random(1)\noutput X[i]\nX[i] = A[i]\n");
  formula.operations.insert(formula.operations.begin(), {.kind = Operation::Kind::release, .out = {0, {}}});
  EXPECT_THROW(verify(formula), ricci::InternalError);
}

}  // namespace
