#include "compile/minimise_operations.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "compile/label_lists.hpp"
#include "compile/product_key.hpp"
#include "compile/product_order.hpp"
#include "compile/values.hpp"
#include "symmetry/fold.hpp"

namespace ricci::compile {

namespace {

bool is_sum(const Operation& operation) {
  return operation.kind == Operation::Kind::assign || operation.kind == Operation::Kind::add;
}

/// How often each product of a whole term is asked for, so that one that stands in several statements is computed once.
class TermCounts {
 public:
  explicit TermCounts(const Formula& formula) : formula_(formula), values_(formula.arrays.size()) {
    count(formula.operations);
  }
  int of(const std::string& key) const {
    const auto it = counts_.find(key);
    return it == counts_.end() ? 0 : it->second;
  }

 private:
  void count(const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) {
      if (is_sum(operation)) {
        for (const Product& term : operation.terms) {
          if (term.factors.size() < 2) continue;
          const auto kept = kept_labels(term.factors, (FactorSet{1} << term.factors.size()) - 1, operation.out.labels);
          ++counts_[product_key(formula_, term.factors, values_.of(term.factors), kept).text];
        }
      }
      if (operation.kind == Operation::Kind::repeat) {
        values_.enter(operation);
        count(operation.body);
        values_.leave(operation);
      }
      if (operation.writes()) values_.set(operation.out.array);
    }
  }

  const Formula& formula_;
  Values values_;
  std::map<std::string, int> counts_;
};

class Minimiser {
 public:
  explicit Minimiser(const Formula& formula)
      : counts_(formula), values_(formula.arrays.size()), result_{formula.labels, formula.arrays, {}} {
    for (const Array& array : formula.arrays) names_ += array.is_intermediate() ? 1 : 0;
  }

  Formula run(const std::vector<Operation>& operations) {
    blocks_.emplace_back();
    rewrite(operations);
    result_.operations = std::move(blocks_.back().operations);
    return std::move(result_);
  }

 private:
  /// The operations of a loop's body, or of the whole program, as far as they are written.
  struct Block {
    std::vector<Operation> operations;
    double passes = 1;  // of the loop, for one of what is around it
  };
  using Keys = std::function<ProductKey(FactorSet)>;  // of sets of a term's factors
  struct Known {
    int array;
    int sign;
    std::vector<std::size_t> order;  // mode m of the array has label order[m] of the key
  };

  void rewrite(const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) {
      if (operation.kind == Operation::Kind::repeat) {
        rewrite_loop(operation);
        continue;
      }
      if (operation.kind == Operation::Kind::invert) {
        move_out(operation);
        continue;
      }
      Operation copy = operation;
      if (is_sum(operation)) {
        for (Product& term : copy.terms) reduce(operation.out, term);
      }
      blocks_.back().operations.push_back(std::move(copy));
      if (operation.writes()) values_.set(operation.out.array);
    }
  }

  /// An operation that makes an intermediate of one array: in the outermost block where that has its value.
  void move_out(const Operation& operation) {
    const int depth = values_.depth(operation.terms[0].factors[0].array);
    blocks_[depth].operations.push_back(operation);
    values_.set(operation.out.array);
    values_.move_to_depth(operation.out.array, depth);
  }

  void rewrite_loop(const Operation& loop) {
    values_.enter(loop);
    blocks_.push_back({{}, guessed_passes(loop)});
    rewrite(loop.body);
    Operation copy = loop;
    copy.body = std::move(blocks_.back().operations);
    blocks_.pop_back();
    values_.leave(loop);
    blocks_.back().operations.push_back(std::move(copy));
  }

  /// To at most two factors.
  void reduce(const Operand& out, Product& term) {
    if (term.factors.size() < 2) return;
    const FactorSet all = (FactorSet{1} << term.factors.size()) - 1;
    const ProductKey whole = keys_of(out, term.factors)(all);
    const bool is_known = known_.count(whole.text) > 0;
    if (!is_known && counts_.of(whole.text) > 1 && pays(out, term))
      define(term.factors, all, whole, reduced(out, term.factors));
    if (known_.count(whole.text) > 0) {
      term = use(term.coefficient, whole);
    } else {
      const double coefficient = term.coefficient;
      term = reduced(out, term.factors);
      term.coefficient *= coefficient;
    }
  }

  /// A shared product is worth an intermediate where computing it again costs more than reading it.
  bool pays(const Operand& out, const Product& term) const {
    const double stored = static_cast<double>(result_.arrays[out.array].shape->stored_size());
    return term.factors.size() > 2 || term_flops(result_, out, term) > 8 * stored;
  }

  /// The same product of two factors, with intermediates for what is below.
  Product reduced(const Operand& out, const std::vector<Operand>& factors) {
    if (factors.size() == 2) return {1, factors};
    const auto keys = keys_of(out, factors);
    const ProductTree tree = best_tree(result_, out, factors, [&](FactorSet members) {
      return SubproductTerms{known_.count(keys(members).text) > 0, passes_of(values_depth(factors, members))};
    });
    make(factors, tree, keys);
    Product product;
    for (FactorSet side : {tree.nodes.back().left, tree.nodes.back().right}) append(product, factors, side, keys);
    return product;
  }

  /// Intermediates for the inner nodes of a tree, but for its root.
  void make(const std::vector<Operand>& factors, const ProductTree& tree, const Keys& keys) {
    for (std::size_t n = 0; n + 1 < tree.nodes.size(); ++n) {
      const ProductNode& node = tree.nodes[n];
      const ProductKey key = keys(node.members);
      if (known_.count(key.text) > 0) continue;
      Product product;
      for (FactorSet side : {node.left, node.right}) append(product, factors, side, keys);
      define(factors, node.members, key, std::move(product));
    }
  }

  /// A new intermediate, in the outermost block where its factors have their values.
  void define(const std::vector<Operand>& factors, FactorSet members, const ProductKey& key, Product product) {
    std::vector<symmetry::Labelled> inside;
    for (const Operand& factor : product.factors)
      inside.push_back({result_.arrays[factor.array].shape.get(), factor.labels});
    const std::vector<int> labels = in_place(product.factors, key.labels);
    Extents extents;
    std::vector<std::size_t> order;
    for (int label : labels) {
      extents.push_back(result_.labels[label].extent);
      order.push_back(
          static_cast<std::size_t>(std::find(key.labels.begin(), key.labels.end(), label) - key.labels.begin()));
    }
    const Symmetry symmetry = symmetry::inherited_symmetry(inside, labels);
    result_.arrays.push_back({fmt::format("_{}", ++names_), labels,
                              std::make_shared<const symmetry::Shape>(extents, symmetry),
                              result_.arrays[factors[0].array].type, -1});
    const int array = static_cast<int>(result_.arrays.size()) - 1;
    const int depth = values_depth(factors, members);
    Operation assignment;
    assignment.out = {array, labels};
    assignment.terms.push_back(std::move(product));
    blocks_[depth].operations.push_back(std::move(assignment));
    values_.set(array);
    values_.move_to_depth(array, depth);
    known_[key.text] = {array, key.sign, std::move(order)};
  }

  void append(Product& product, const std::vector<Operand>& factors, FactorSet members, const Keys& keys) {
    if (std::has_single_bit(members)) {
      product.factors.push_back(factors[std::countr_zero(members)]);
      return;
    }
    const Product used = use(1, keys(members));
    product.coefficient *= used.coefficient;
    product.factors.push_back(used.factors[0]);
  }

  Product use(double coefficient, const ProductKey& key) const {
    const Known& known = known_.at(key.text);
    std::vector<int> labels;
    for (std::size_t place : known.order) labels.push_back(key.labels[place]);
    return {coefficient * key.sign * known.sign, {{known.array, std::move(labels)}}};
  }

  /// The labels of a product of two in the order of its larger factor, the new ones in place of those that are summed
  /// over: a matrix product then finds rows and columns as it wants them, one index transformed after the other.
  std::vector<int> in_place(const std::vector<Operand>& factors, const std::vector<int>& kept) const {
    const auto size = [&](const Operand& factor) { return result_.arrays[factor.array].shape->full_size(); };
    const auto larger = std::max_element(factors.begin(), factors.end(),
                                         [&](const Operand& x, const Operand& y) { return size(x) < size(y); });
    std::vector<int> labels;
    const auto add = [&](int label) {
      if (contains(kept, label) && !contains(labels, label)) labels.push_back(label);
    };
    for (int label : larger->labels) {
      if (contains(kept, label)) {
        add(label);
        continue;
      }
      for (const Operand& factor : factors) {
        for (int other : factor.labels) {
          if (!contains(larger->labels, other)) add(other);
        }
      }
    }
    for (int label : kept) add(label);
    return labels;
  }

  Keys keys_of(const Operand& out, const std::vector<Operand>& factors) const {
    return [this, &out, &factors](FactorSet members) {
      std::vector<Operand> inside;
      for (std::size_t f = 0; f < factors.size(); ++f) {
        if ((members >> f) & 1) inside.push_back(factors[f]);
      }
      return product_key(result_, inside, values_.of(inside), kept_labels(factors, members, out.labels));
    };
  }

  /// The number of loops around the place where the last of some factors got its value.
  int values_depth(const std::vector<Operand>& factors, FactorSet members) const {
    int depth = 0;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if ((members >> f) & 1) depth = std::max(depth, values_.depth(factors[f].array));
    }
    return depth;
  }

  /// Relative to the innermost loop: what is computed before it costs so much less.
  double passes_of(int depth) const {
    double passes = 1;
    for (std::size_t b = static_cast<std::size_t>(depth) + 1; b < blocks_.size(); ++b)
      passes /= std::max(1.0, blocks_[b].passes);
    return passes;
  }

  const TermCounts counts_;
  Values values_;
  Formula result_;
  std::vector<Block> blocks_;  // from the program to the innermost loop
  std::map<std::string, Known> known_;
  int names_ = 0;
};

}  // namespace

Formula minimise_operations(const Formula& formula) {
  Formula result = Minimiser(formula).run(formula.operations);
  verify(result);
  return result;
}

}  // namespace ricci::compile
