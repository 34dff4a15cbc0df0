#include "plan/contraction_order.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace ricci::planning {
namespace {

using Sizes = std::vector<std::int64_t>;

struct Product {
  std::vector<LabelSet> factors;
  LabelSet output = 0;
  Sizes extents;
};

double size_of(LabelSet labels, const Sizes& extents) {
  double product = 1;
  for (std::size_t l = 0; l < extents.size(); ++l) product *= (labels >> l) & 1 ? static_cast<double>(extents[l]) : 1;
  return product;
}

/// Takes two parts out of a list and puts in their product, which keeps what others or the output still need.
std::vector<LabelSet> merged(const Product& product, std::vector<LabelSet> parts, std::size_t i, std::size_t j) {
  const LabelSet inside = parts[i] | parts[j];
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
  LabelSet outside = product.output;
  for (const LabelSet part : parts) outside |= part;
  parts.push_back(inside & outside);
  return parts;
}

/// The least multiply-adds over every tree, by trying them all.
double least(const Product& product, const std::vector<LabelSet>& parts) {
  if (parts.size() < 2) return 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const double now = size_of(parts[i] | parts[j], product.extents);
      if (now < best) best = std::min(best, now + least(product, merged(product, parts, i, j)));
    }
  }
  return best;
}

/// Follows the merges of an order: each part is used once, and the sum of their products is what the order claims.
void expect_valid(const Product& product, const ContractionOrder& order) {
  const std::size_t n = product.factors.size();
  ASSERT_EQ(order.merges.size(), n - 1);
  std::vector<LabelSet> parts = product.factors;  // as in the list of names, in step with it
  std::vector<int> names(n);
  for (std::size_t f = 0; f < n; ++f) names[f] = static_cast<int>(f);
  double sum = 0;
  for (std::size_t m = 0; m < order.merges.size(); ++m) {
    const auto left = std::find(names.begin(), names.end(), order.merges[m].left);
    const auto right = std::find(names.begin(), names.end(), order.merges[m].right);
    ASSERT_TRUE(left != names.end() && right != names.end() && left != right) << "merge " << m;
    const std::size_t i = static_cast<std::size_t>(left - names.begin()),
                      j = static_cast<std::size_t>(right - names.begin());
    sum += size_of(parts[i] | parts[j], product.extents);
    parts = merged(product, parts, i, j);
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
    names.push_back(static_cast<int>(n + m));
  }
  EXPECT_DOUBLE_EQ(order.multiply_adds, sum);
}

/// A1[0,1] A2[1,2] … : a chain of matrices.
Product chain(const Sizes& sides) {
  Product product{{}, LabelSet{1} | LabelSet{1} << (sides.size() - 1), sides};
  for (std::size_t f = 0; f + 1 < sides.size(); ++f) product.factors.push_back(LabelSet{3} << f);
  return product;
}

ContractionOrder order_of(const Product& product, int exact_limit = 10) {
  return best_order(product.factors, product.output, product.extents, exact_limit);
}

TEST(ContractionOrder, MatrixChains) {
  const ContractionOrder three = order_of(chain({10, 30, 5, 60}));
  EXPECT_EQ(three.multiply_adds, 4500);
  ASSERT_EQ(three.merges.size(), 2U);
  EXPECT_EQ(std::minmax(three.merges[0].left, three.merges[0].right), std::minmax(0, 1));
  EXPECT_EQ(order_of(chain({30, 35, 15, 5, 10, 20, 25})).multiply_adds, 15125) << "Cormen et al., section 15.2";
  EXPECT_EQ(order_of(chain({40, 20, 30, 10, 30})).multiply_adds, 26000);
}

TEST(ContractionOrder, TheFourIndexTransformIsDoneOneIndexAtATime) {
  // B[abcd] = C1[ds] C2[cr] C3[bq] C4[ap] A[pqrs], all extents 10: four steps of 10^5.
  Product product{{}, 0b00001111, Sizes(8, 10)};
  for (int l = 0; l < 4; ++l) product.factors.push_back(LabelSet{1} << l | LabelSet{1} << (l + 4));
  product.factors.push_back(0b11110000);
  EXPECT_EQ(order_of(product).multiply_adds, 4e5);
  expect_valid(product, order_of(product));
}

TEST(ContractionOrder, OfFewFactors) {
  EXPECT_TRUE(order_of({{}, 0, {}}).merges.empty());
  EXPECT_TRUE(order_of({{1}, 1, {5}}).merges.empty());
  EXPECT_EQ(order_of(chain({2, 3, 4})).multiply_adds, 24);
}

/// No label stands in one factor alone: the planner sums over those before it asks for an order.
Product random_product(std::mt19937& random, int factors) {
  Product product;
  const int labels = factors + 2;
  for (int l = 0; l < labels; ++l) product.extents.push_back(1 + static_cast<std::int64_t>(random() % 9));
  for (int f = 0; f < factors; ++f) {
    LabelSet set = 0;
    for (int k = 0; k < 3; ++k) set |= LabelSet{1} << (random() % static_cast<unsigned>(labels));
    product.factors.push_back(set);
  }
  product.output = product.factors[0] & 0b1011;
  for (int l = 0; l < labels; ++l) {
    const LabelSet label = LabelSet{1} << l;
    const auto has = [label](LabelSet set) { return (set & label) != 0; };
    if (has(product.output) || std::count_if(product.factors.begin(), product.factors.end(), has) != 1) continue;
    for (LabelSet& set : product.factors) set &= ~label;
  }
  return product;
}

TEST(ContractionOrder, ExactSearchAgreesWithAllTrees) {
  std::mt19937 random(1);
  for (int factors = 3; factors <= 8; ++factors) {
    for (int trial = 0; trial < (factors < 7 ? 30 : 4); ++trial) {
      const Product product = random_product(random, factors);
      const ContractionOrder order = order_of(product);
      ASSERT_NO_FATAL_FAILURE(expect_valid(product, order)) << factors << " factors, trial " << trial;
      ASSERT_EQ(order.multiply_adds, least(product, product.factors)) << factors << " factors, trial " << trial;
    }
  }
}

TEST(ContractionOrder, GreedyBeyondTheLimitIsValid) {
  std::mt19937 random(2);
  for (const int factors : {11, 14, 20, 30}) {
    const Product product = random_product(random, factors);
    ASSERT_NO_FATAL_FAILURE(expect_valid(product, order_of(product))) << factors;
  }
  for (int trial = 0; trial < 20; ++trial) {
    const Product product = random_product(random, 6);
    const ContractionOrder greedy = order_of(product, 5);
    ASSERT_NO_FATAL_FAILURE(expect_valid(product, greedy));
    EXPECT_GE(greedy.multiply_adds, order_of(product, 6).multiply_adds);
  }
}

TEST(ContractionOrder, HugeExtentsDoNotBreakTheSearch) {
  const std::int64_t huge = std::int64_t{1} << 40;
  const Product product = chain(Sizes(9, huge));
  expect_valid(product, order_of(product));
  expect_valid(product, order_of(product, 3));
  const Product empty = chain({3, 0, 4, 5});
  expect_valid(empty, order_of(empty));
}

}  // namespace
}  // namespace ricci::planning
