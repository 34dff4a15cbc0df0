// The passes of the compiler leave the value of every tensor as it was.
#include <sstream>

#include <gtest/gtest.h>

#include "check_property.hpp"
#include "compile/factorise.hpp"
#include "compile/minimise_operations.hpp"
#include "formula_case.hpp"

namespace {

using namespace ricci::compile;
using namespace ricci_test;

constexpr int cases = 1500;

void expect_same(const Formula& before, const Formula& after, std::uint64_t seed) {
  const auto expected = evaluate(before, seed), found = evaluate(after, seed);
  ASSERT_EQ(expected.size(), found.size());
  std::ostringstream text;
  text << before << "becomes\n" << after;
  for (std::size_t t = 0; t < expected.size(); ++t) {
    for (std::size_t e = 0; e < expected[t].size(); ++e) {
      const long double size = std::max(1.0L, std::abs(expected[t][e]));
      RC_ASSERT(std::abs(expected[t][e] - found[t][e]) < 1e-10L * size || (RC_LOG() << text.str(), false));
    }
  }
}

TEST(FormulaPasses, FactorisingChangesNoValue) {
  check_property(cases, [] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Formula formula = random_formula(seed);
    const Formula after = factorise(formula);
    RC_CLASSIFY(after.arrays.size() > formula.arrays.size(), "factorised");
    expect_same(formula, after, seed);
  });
}

TEST(FormulaPasses, MinimisingOperationsChangesNoValue) {
  check_property(cases, [] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Formula formula = random_formula(seed);
    const Formula after = minimise_operations(formula);
    for (const Operation& operation : after.operations) {
      for (const Product& term : operation.terms) RC_ASSERT(term.factors.size() <= 2);
    }
    expect_same(formula, after, seed);
  });
}

TEST(FormulaPasses, BothTogetherChangeNoValue) {
  check_property(cases, [] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Formula formula = random_formula(seed);
    const Formula plain = minimise_operations(formula), both = minimise_operations(factorise(formula));
    expect_same(formula, both, seed);
    RC_CLASSIFY(effort(both).flops < effort(plain).flops, "cheaper by factors");
  });
}

}  // namespace
