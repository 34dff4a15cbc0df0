#include "compile/blocked_operation.hpp"

#include <algorithm>
#include <numeric>

#include <ricci/error.hpp>

#include "compile/label_lists.hpp"
#include "symmetry/cosets.hpp"
#include "symmetry/fold.hpp"

namespace ricci::compile {

namespace {

template <class F>
void for_each_operand(const Operation& operation, F f) {
  f(operation.out);
  for (const Product& term : operation.terms) {
    for (const Operand& factor : term.factors) f(factor);
  }
}

symmetry::Labelled labelled(const Formula& formula, const Operand& operand) {
  return {formula.arrays[operand.array].shape.get(), operand.labels};
}

std::vector<symmetry::Labelled> labelled(const Formula& formula, const Product& term) {
  std::vector<symmetry::Labelled> result;
  for (const Operand& factor : term.factors) result.push_back(labelled(formula, factor));
  return result;
}

bool same_sign(SymmetryKind x, SymmetryKind y) {
  return (x == SymmetryKind::antisymmetric) == (y == SymmetryKind::antisymmetric);
}

/// For labels of one group of the output: equal numbers for those whose exchange the term has by itself (H).
std::vector<int> blocks_of_h(const Formula& formula, const Product& term, const std::vector<int>& labels,
                             SymmetryKind kind) {
  std::vector<int> block(labels.size());
  std::iota(block.begin(), block.end(), 0);
  const Symmetry inherited = symmetry::inherited_symmetry(labelled(formula, term), labels);
  for (const SymmetryGroup& group : inherited.groups()) {
    if (!same_sign(group.kind, kind)) continue;
    for (int mode : group.modes) block[mode] = group.modes[0];
  }
  // What the term is repeated along may be exchanged, too.
  if (kind == SymmetryKind::antisymmetric) return block;
  int first = -1;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const bool stands = std::any_of(term.factors.begin(), term.factors.end(),
                                    [&](const Operand& factor) { return contains(factor.labels, labels[l]); });
    if (stands) continue;
    if (first < 0) first = static_cast<int>(l);
    block[l] = first;
  }
  return block;
}

void substitute(Product& term, const std::vector<int>& from, const std::vector<int>& to) {
  for (Operand& factor : term.factors) {
    for (int& label : factor.labels) {
      const auto it = std::find(from.begin(), from.end(), label);
      if (it != from.end()) label = to[static_cast<std::size_t>(it - from.begin())];
    }
  }
}

/// One product for each coset of the groups that are cut: Σ_g χ(g) X∘g.
std::vector<Product> cosets(const Formula& formula, const Operand& out, const Product& term,
                            const std::vector<bool>& is_cut) {
  std::vector<Product> all{term};
  for (const SymmetryGroup& group : formula.arrays[out.array].shape->symmetry().groups()) {
    std::vector<int> labels;
    for (int mode : group.modes) labels.push_back(out.labels[mode]);
    if (!is_cut[labels[0]]) continue;
    const auto representatives = symmetry::coset_representatives(blocks_of_h(formula, term, labels, group.kind));
    std::vector<Product> more;
    for (const Product& product : all) {
      for (const symmetry::SignedPermutation& g : representatives) {
        std::vector<int> to;
        for (int image : g.image) to.push_back(labels[image]);
        Product moved = product;
        substitute(moved, labels, to);
        if (group.kind == SymmetryKind::antisymmetric) moved.coefficient *= g.sign;
        more.push_back(std::move(moved));
      }
    }
    all = std::move(more);
  }
  return all;
}

/// Groups of summed labels that the whole term is symmetric in. Nothing where it changes its sign: then it vanishes,
/// and `vanishes` is set.
std::vector<std::vector<int>> sorted_groups(const Formula& formula, const Product& term, const std::vector<int>& summed,
                                            const std::vector<bool>& is_cut, bool& vanishes) {
  std::vector<std::vector<int>> result;
  const Symmetry inherited = symmetry::inherited_symmetry(labelled(formula, term), summed);
  for (const SymmetryGroup& group : inherited.groups()) {
    if (group.kind == SymmetryKind::antisymmetric) {
      vanishes = true;
      continue;
    }
    std::vector<int> labels;
    for (int mode : group.modes) labels.push_back(summed[mode]);
    if (is_cut[labels[0]]) result.push_back(std::move(labels));
  }
  return result;
}

}  // namespace

LabelClasses label_classes(const Formula& formula, const Operation& operation) {
  LabelClasses classes{std::vector<int>(formula.labels.size(), -1), std::vector<bool>(formula.labels.size(), false)};
  for_each_operand(operation, [&](const Operand& operand) {
    for (int label : operand.labels) classes.first[label] = label;
  });
  const auto root = [&](int label) {
    while (classes.first[label] != label) label = classes.first[label];
    return label;
  };
  for_each_operand(operation, [&](const Operand& operand) {
    for (const SymmetryGroup& group : formula.arrays[operand.array].shape->symmetry().groups()) {
      for (int mode : group.modes) {
        const int x = root(operand.labels[group.modes[0]]), y = root(operand.labels[mode]);
        classes.first[std::max(x, y)] = std::min(x, y);
      }
    }
  });
  for (int& first : classes.first) {
    if (first >= 0) first = root(first);
  }
  // A label that stands twice in the output writes a diagonal: its blocks would not be blocks of the output.
  const std::vector<int>& out = operation.out.labels;
  for (int label : out) {
    if (std::count(out.begin(), out.end(), label) > 1) classes.whole[classes.first[label]] = true;
  }
  return classes;
}

BlockedOperation blocked(const Formula& formula, const Operation& operation, const std::vector<std::int64_t>& tile) {
  BlockedOperation result{
      operation.out, operation.kind == Operation::Kind::assign, distinct(operation.out.labels), tile, {}};
  std::vector<bool> is_cut;
  for (std::size_t l = 0; l < tile.size(); ++l) is_cut.push_back(tile[l] < formula.labels[l].extent);
  for (const Product& term : operation.terms) {
    if (term.factors.size() > 2) throw InternalError("a term of more than two factors, block by block");
    for (Product& product : cosets(formula, operation.out, term, is_cut)) {
      BlockedTerm added{std::move(product), {}, {}};
      for (const Operand& factor : added.product.factors) {
        for (int label : factor.labels) {
          if (!contains(operation.out.labels, label) && !contains(added.summed, label)) added.summed.push_back(label);
        }
      }
      bool vanishes = false;
      added.sorted = sorted_groups(formula, added.product, added.summed, is_cut, vanishes);
      if (!vanishes) result.terms.push_back(std::move(added));
    }
  }
  return result;
}

Box box_of(const Formula& formula, const BlockedOperation& operation, const Operand& operand,
           const std::vector<std::int64_t>& tiles) {
  Box box;
  for (int label : operand.labels) {
    const std::int64_t size = operation.tile[label], extent = formula.labels[label].extent;
    box.lo.push_back(tiles[label] * size);
    box.hi.push_back(std::min(extent, (tiles[label] + 1) * size));
  }
  return box;
}

}  // namespace ricci::compile
