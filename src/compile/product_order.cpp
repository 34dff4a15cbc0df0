#include "compile/product_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "compile/label_lists.hpp"
#include "plan/contraction_order.hpp"
#include "symmetry/fold.hpp"

namespace ricci::compile {

using symmetry::Labelled;
using symmetry::Shape;

std::vector<int> kept_labels(const std::vector<Operand>& factors, FactorSet members, const std::vector<int>& output) {
  std::vector<int> outside = output, kept;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (!((members >> f) & 1)) outside.insert(outside.end(), factors[f].labels.begin(), factors[f].labels.end());
  }
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (!((members >> f) & 1)) continue;
    for (int label : factors[f].labels) {
      if (contains(outside, label) && !contains(kept, label)) kept.push_back(label);
    }
  }
  return kept;
}

namespace {

class TreeSearch {
 public:
  TreeSearch(const Formula& formula, const Operand& out, const std::vector<Operand>& factors,
             const std::function<SubproductTerms(FactorSet)>& terms)
      : formula_(formula), out_(out), factors_(factors), terms_(terms), extents_(formula.extents()) {
    sets_.resize(std::size_t{1} << factors.size());
    for (FactorSet set = 1; set < sets_.size(); ++set) describe(set);
  }

  ProductTree run() {
    for (FactorSet set = 1; set < sets_.size(); ++set) {
      if (!std::has_single_bit(set) && !sets_[set].known) split(set);
    }
    ProductTree tree;
    const FactorSet all = static_cast<FactorSet>(sets_.size() - 1);
    tree.flops = sets_[all].flops;
    tree.elements = sets_[all].elements;
    collect(all, tree);
    return tree;
  }

 private:
  struct Set {
    std::vector<int> labels;
    Shape shape;
    bool known = false;
    double passes = 1;
    double flops = 0, elements = 0;
    FactorSet left = 0;
  };

  void describe(FactorSet members) {
    Set& set = sets_[members];
    if (members + 1 == sets_.size() && factors_.size() > 1) {
      set.labels = out_.labels;
      set.shape = *formula_.arrays[out_.array].shape;
    } else if (std::has_single_bit(members)) {
      const Operand& factor = factors_[std::countr_zero(members)];
      set.labels = factor.labels;
      set.shape = *formula_.arrays[factor.array].shape;
      return;
    } else {
      set.labels = kept_labels(factors_, members, out_.labels);
      std::vector<Labelled> inside;
      for (std::size_t f = 0; f < factors_.size(); ++f) {
        if ((members >> f) & 1) inside.push_back({formula_.arrays[factors_[f].array].shape.get(), factors_[f].labels});
      }
      Extents extents;
      for (int label : set.labels) extents.push_back(extents_[label]);
      set.shape = Shape(extents, symmetry::inherited_symmetry(inside, set.labels));
    }
    if (!terms_) return;
    const SubproductTerms terms = terms_(members);
    set.known = terms.known;
    set.passes = terms.passes;
  }

  void split(FactorSet members) {
    Set& set = sets_[members];
    set.flops = set.elements = std::numeric_limits<double>::infinity();
    const FactorSet lowest = members & (~members + 1);
    for (FactorSet part = (members - 1) & members; part != 0; part = (part - 1) & members) {
      if (!(part & lowest)) continue;  // each unordered split once
      const Set &left = sets_[part], &right = sets_[members ^ part];
      const double below = left.flops + right.flops;
      if (below > set.flops) continue;
      const auto fold =
          symmetry::fold({&set.shape, set.labels}, {&left.shape, left.labels}, {&right.shape, right.labels}, extents_);
      const double flops = below + set.passes * (fold.vanishes ? 0 : 2 * fold.products());
      const double elements = left.elements + right.elements + static_cast<double>(set.shape.stored_size());
      if (set.left != 0 && std::tie(flops, elements) >= std::tie(set.flops, set.elements)) continue;
      std::tie(set.flops, set.elements, set.left) = std::tie(flops, elements, part);
    }
  }

  void collect(FactorSet members, ProductTree& tree) const {
    const Set& set = sets_[members];
    if (set.left == 0) return;
    const FactorSet right = members ^ set.left;
    collect(set.left, tree);
    collect(right, tree);
    tree.nodes.push_back({members, set.left, right});
  }

  const Formula& formula_;
  const Operand& out_;
  const std::vector<Operand>& factors_;
  const std::function<SubproductTerms(FactorSet)>& terms_;
  std::vector<std::int64_t> extents_;
  std::vector<Set> sets_;  // by members
};

/// Of many factors: what the unpacked index spaces say.
ProductTree tree_by_sizes(const Formula& formula, const Operand& out, const std::vector<Operand>& factors) {
  std::vector<int> numbers(formula.labels.size(), -1);  // labels of the term, counted anew: sets have 64 places
  std::vector<std::int64_t> extents;
  const auto set_of = [&](const std::vector<int>& labels) {
    planning::LabelSet set = 0;
    for (int label : labels) {
      if (numbers[label] < 0) {
        numbers[label] = static_cast<int>(extents.size());
        extents.push_back(formula.labels[label].extent);
      }
      set |= planning::LabelSet{1} << numbers[label];
    }
    return set;
  };
  std::vector<planning::LabelSet> sets;
  const planning::LabelSet output = set_of(out.labels);
  for (const Operand& factor : factors) sets.push_back(set_of(factor.labels));
  const auto order = planning::best_order(sets, output, extents);
  ProductTree tree;
  tree.flops = 2 * order.multiply_adds;
  std::vector<FactorSet> members;
  for (std::size_t f = 0; f < factors.size(); ++f) members.push_back(FactorSet{1} << f);
  for (const planning::Merge& merge : order.merges) {
    const FactorSet left = members[merge.left], right = members[merge.right];
    tree.nodes.push_back({left | right, left, right});
    members.push_back(left | right);
  }
  return tree;
}

}  // namespace

ProductTree best_tree(const Formula& formula, const Operand& out, const std::vector<Operand>& factors,
                      const std::function<SubproductTerms(FactorSet)>& terms) {
  if (static_cast<int>(factors.size()) > exact_limit) return tree_by_sizes(formula, out, factors);
  return TreeSearch(formula, out, factors, terms).run();
}

}  // namespace ricci::compile
