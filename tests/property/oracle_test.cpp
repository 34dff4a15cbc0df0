// The oracle against cases worked out by hand, and against what must hold of every result.
#include "oracle.hpp"

#include <gtest/gtest.h>

#include "check_property.hpp"
#include "oracle_symmetry.hpp"
#include "random_statement.hpp"

namespace ricci_test {
namespace {

TensorShape pair_shape(GroupKind kind) { return {{0, 0}, {{{0, 1}, kind}}}; }

Statement two_by_two(TensorShape output, const std::string& labels, TensorShape operand,
                     const std::string& operand_labels) {
  Statement statement;
  statement.extents = {2, 2, 2};
  statement.tensors = {std::move(output), std::move(operand)};
  statement.output = labels;
  statement.terms = {{1.0, {{1, operand_labels, false}}}};
  return statement;
}

void expect_values(const Expected& result, const std::vector<long double>& wanted) {
  ASSERT_EQ(result.values.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(result.values[i], Number(wanted[i])) << "element " << i;
}

const DenseTensor zero4(4);
const DenseTensor plain4 = {1, 2, 3, 4};

TEST(Oracle, SymmetrisesWithoutAFactor) {
  const TensorShape plain{{0, 0}, {}};
  const auto value = [&](GroupKind kind) {
    return evaluate(two_by_two(pair_shape(kind), "ab", plain, "ab"), {zero4, plain4});
  };
  expect_values(value(GroupKind::symmetric), {2, 5, 5, 8});
  expect_values(value(GroupKind::antisymmetric), {0, -1, 1, 0});
  expect_values(value(GroupKind::hollow), {0, 5, 5, 0});
}

TEST(Oracle, TakesASymmetricTermOnce) {
  const Statement statement =
      two_by_two(pair_shape(GroupKind::symmetric), "ab", pair_shape(GroupKind::symmetric), "ba");
  EXPECT_EQ(cosets(statement, statement.terms[0]).size(), 1U);
  expect_values(evaluate(statement, {zero4, {1, 2, 2, 4}}), {1, 2, 2, 4});
}

TEST(Oracle, TermOfTheOtherSignIsZero) {
  expect_values(evaluate(two_by_two(pair_shape(GroupKind::antisymmetric), "ab", pair_shape(GroupKind::symmetric), "ab"),
                         {zero4, {1, 2, 2, 4}}),
                {0, 0, 0, 0});
}

TEST(Oracle, LabelTwiceInOneOutputGroupGetsBothCosets) {
  const TensorShape vector{{0}, {}};
  expect_values(evaluate(two_by_two(pair_shape(GroupKind::symmetric), "aa", vector, "a"), {zero4, {3, 5}}),
                {6, 0, 0, 10});
  expect_values(evaluate(two_by_two(pair_shape(GroupKind::antisymmetric), "aa", vector, "a"), {zero4, {3, 5}}),
                {0, 0, 0, 0});
}

TEST(Oracle, BroadcastOverASymmetricPairIsOneCoset) {
  expect_values(evaluate(two_by_two(pair_shape(GroupKind::symmetric), "ab", {{}, {}}, ""), {zero4, {7}}), {7, 7, 7, 7});
  expect_values(evaluate(two_by_two(pair_shape(GroupKind::hollow), "ab", {{}, {}}, ""), {zero4, {7}}), {0, 7, 7, 0});
}

TEST(Oracle, TracesSumsAndDiagonals) {
  const TensorShape plain{{0, 0}, {}};
  expect_values(evaluate(two_by_two({{}, {}}, "", plain, "aa"), {{0}, plain4}), {5});
  expect_values(evaluate(two_by_two({{}, {}}, "", plain, "ab"), {{0}, plain4}), {10});
  expect_values(evaluate(two_by_two({{0}, {}}, "a", plain, "ab"), {{0, 0}, plain4}), {3, 7});
  expect_values(evaluate(two_by_two({{0}, {}}, "a", plain, "aa"), {{0, 0}, plain4}), {1, 4});
}

TEST(Oracle, DiagonalOutputZeroesTheRestOnlyOnAssign) {
  Statement statement = two_by_two({{0, 0}, {}}, "aa", {{0}, {}}, "a");
  expect_values(evaluate(statement, {plain4, {5, 6}}), {5, 0, 0, 6});
  statement.how = Assignment::add;
  expect_values(evaluate(statement, {plain4, {5, 6}}), {6, 2, 3, 10});
  statement.how = Assignment::subtract;
  expect_values(evaluate(statement, {plain4, {5, 6}}), {-4, 2, 3, -2});
}

TEST(Oracle, CountsTheCosetsOfCoupledCluster) {
  const TensorShape doubles{{0, 0, 1, 1}, {{{0, 1}, GroupKind::antisymmetric}, {{2, 3}, GroupKind::antisymmetric}}};
  Statement statement;
  statement.extents = {3, 2, 2};
  statement.tensors = {doubles, doubles, {{0, 0}, {}}, {{0, 1}, {}}};
  statement.output = "abij";
  const auto count = [&](std::vector<Factor> factors) { return cosets(statement, {1.0, std::move(factors)}).size(); };
  EXPECT_EQ(count({{2, "ae", false}, {1, "ebij", false}}), 2U);
  EXPECT_EQ(count({{1, "abij", false}}), 1U);
  EXPECT_EQ(count({{3, "ai", false}, {3, "bj", false}}), 4U);
  EXPECT_EQ(count({{3, "em", false}, {1, "aeim", false}, {3, "bj", false}}), 4U);
}

TEST(Oracle, ResultsHaveTheOutputsSymmetry) {
  check_property(1000, [] {
    const Statement statement = *random_statement();
    const Expected result = evaluate(statement, random_data(statement));
    const TensorShape& shape = statement.tensors[0];
    const auto extents = extents_of(statement, shape);
    for (std::size_t key = 0; key < result.values.size(); ++key) {
      std::vector<std::int64_t> index(extents.size());
      auto rest = static_cast<std::int64_t>(key);
      for (std::size_t mode = extents.size(); mode-- > 0; rest /= extents[mode]) index[mode] = rest % extents[mode];
      const Canonical home = canonical(shape, index);
      std::size_t home_key = 0;
      for (std::size_t mode = 0; mode < extents.size(); ++mode) {
        home_key = home_key * static_cast<std::size_t>(extents[mode]) + static_cast<std::size_t>(home.index[mode]);
      }
      const Number wanted = static_cast<long double>(home.sign) * result.values[home_key];
      RC_ASSERT(std::abs(result.values[key] - wanted) <= tolerance(result, key, 1e-19L));
    }
  });
}

}  // namespace
}  // namespace ricci_test
