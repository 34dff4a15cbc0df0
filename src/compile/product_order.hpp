#pragma once
// The cheapest tree of binary contractions for a product, with what the symmetries save and what is known already.
#include <functional>
#include <vector>

#include "compile/formula.hpp"

namespace ricci::compile {

/// A set of factors of a product, bit f for factor f.
using FactorSet = std::uint32_t;

/// What a set of factors costs besides its flops.
struct SubproductTerms {
  bool known = false;  // it has been computed before, and costs nothing
  double passes = 1;   // how often it would be computed, for once of the whole product
};

/// An inner node: the product of two sets. Leaves come first, the whole product last.
struct ProductNode {
  FactorSet members = 0, left = 0, right = 0;
};

struct ProductTree {
  std::vector<ProductNode> nodes;  // those that have to be computed, children before parents
  double flops = 0;
  double elements = 0;  // of the intermediates
};

/// Labels of a set of factors that are needed outside of it, in the order of their first appearance.
std::vector<int> kept_labels(const std::vector<Operand>& factors, FactorSet members, const std::vector<int>& output);

/// Least flops, then least intermediates: exact up to `exact_limit` factors; beyond, by planning::best_order.
/// `terms` may be empty. At least one factor.
ProductTree best_tree(const Formula& formula, const Operand& out, const std::vector<Operand>& factors,
                      const std::function<SubproductTerms(FactorSet)>& terms = {});

inline constexpr int exact_limit = 8;

}  // namespace ricci::compile
