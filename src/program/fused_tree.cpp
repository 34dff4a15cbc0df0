#include <algorithm>
#include <map>

#include "compile/label_lists.hpp"
#include "compile/uses.hpp"
#include "plan/local_plan.hpp"
#include "program/fused_nest.hpp"

namespace ricci::program {

using compile::Formula;
using compile::Home;
using compile::Operand;
using compile::Operation;

namespace {

bool all_differ(const std::vector<int>& labels) { return compile::distinct(labels).size() == labels.size(); }

bool writes(const Operation& operation, int array) {
  if (operation.writes() && operation.out.array == array) return true;
  return std::any_of(operation.body.begin(), operation.body.end(),
                     [&](const Operation& inner) { return writes(inner, array); });
}

class TreeMaker {
 public:
  TreeMaker(const Formula& formula, const std::vector<Operation>& list, const std::vector<Home>& homes,
            const std::vector<bool>& may_vanish)
      : formula_(formula), list_(list), homes_(homes), may_vanish_(may_vanish) {
    result_.forest.trees.emplace_back();
  }

  FusedTree make(std::size_t root) {
    const Operation& operation = list_[root];
    std::vector<int> labels;
    for (int label : operation.out.labels) labels.push_back(fresh_label(label));
    root_ = root;
    add_product(root, labels);
    result_.adds = operation.kind == Operation::Kind::add;
    std::sort(joined_.begin(), joined_.end());
    for (std::size_t at : joined_) result_.operations.push_back(&list_[at]);
    return std::move(result_);
  }

 private:
  /// Labels of the tree are numbered anew: the same name may mean different loops in different operations.
  int fresh_label(int label) {
    const auto number = result_.forest.labels.size();
    const bool taken =
        std::any_of(result_.forest.labels.begin(), result_.forest.labels.end(),
                    [&](const fusion::Label& other) { return other.name == formula_.labels[label].name; });
    result_.forest.labels.push_back(
        {formula_.labels[label].name + (taken ? std::to_string(number) : ""), formula_.labels[label].extent});
    return static_cast<int>(number);
  }

  int array(int number) {
    const auto found = std::find(result_.arrays.begin(), result_.arrays.end(), number);
    if (found != result_.arrays.end()) return static_cast<int>(found - result_.arrays.begin());
    const compile::Array& array = formula_.arrays[number];
    result_.arrays.push_back(number);
    result_.making.emplace_back();
    const bool in_memory = homes_[number] == Home::memory;
    result_.forest.arrays.push_back({array.name, static_cast<std::int64_t>(element_size(array.type)),
                                     in_memory ? fusion::Home::memory : fusion::Home::anywhere,
                                     homes_[number] == Home::file});
    return static_cast<int>(result_.arrays.size()) - 1;
  }

  /// The node of what an operation computes, under the tree's labels for its modes.
  int add_product(std::size_t at, const std::vector<int>& out_labels) {
    const Operation& operation = list_[at];
    joined_.push_back(at);
    std::map<int, int> names;  // labels of the operation as the tree calls them
    for (std::size_t m = 0; m < out_labels.size(); ++m) names[operation.out.labels[m]] = out_labels[m];
    int operand[2];
    const compile::Product& term = operation.terms[0];
    for (std::size_t f = 0; f < 2; ++f) {
      std::vector<int> labels;
      for (int label : term.factors[f].labels) {
        const auto known = names.find(label);
        labels.push_back(known != names.end() ? known->second : names[label] = fresh_label(label));
      }
      operand[f] = add_operand(at, term.factors[f], labels);
    }
    const int made = array(operation.out.array);
    result_.making[made] = {term.coefficient, term.factors[0].conjugate, term.factors[1].conjugate};
    return add_node({made, out_labels, operand[0], operand[1]});
  }

  int add_operand(std::size_t at, const Operand& factor, const std::vector<int>& labels) {
    const std::size_t maker = maker_of(factor.array, at);
    if (maker < at) return add_product(maker, labels);
    return add_node({array(factor.array), labels, -1, -1});
  }

  int add_node(fusion::Node node) {
    auto& nodes = result_.forest.trees[0].nodes;
    nodes.push_back(std::move(node));
    return static_cast<int>(nodes.size()) - 1;
  }

  /// The operation before `at` that can be joined to it, or `at` where there is none.
  std::size_t maker_of(int array, std::size_t at) const {
    if (homes_[array] != Home::disk || !may_vanish_[array]) return at;
    const compile::Uses uses = compile::uses_of(formula_.operations, array);
    if (uses.reads + uses.norms != 1 || uses.writes != 1) return at;
    for (std::size_t i = at; i-- > 0;) {
      const Operation& operation = list_[i];
      if (!writes(operation, array)) continue;
      const bool fits = operation.kind == Operation::Kind::assign && may_share_loops(formula_, operation, homes_) &&
                        operation.out.array == array && operands_stay(i);
      return fits ? i : at;
    }
    return at;
  }

  /// Nothing that an operation reads is written between it and the root, the root included.
  bool operands_stay(std::size_t at) const {
    for (const Operand& factor : list_[at].terms[0].factors) {
      for (std::size_t i = at + 1; i <= root_; ++i) {
        if (writes(list_[i], factor.array)) return false;
      }
    }
    return true;
  }

  const Formula& formula_;
  const std::vector<Operation>& list_;
  const std::vector<Home>& homes_;
  const std::vector<bool>& may_vanish_;
  std::size_t root_ = 0;
  std::vector<std::size_t> joined_;
  FusedTree result_;
};

}  // namespace

bool may_share_loops(const Formula& formula, const Operation& operation, const std::vector<Home>& homes) {
  const bool is_sum = operation.kind == Operation::Kind::assign || operation.kind == Operation::Kind::add;
  if (!is_sum || operation.terms.size() != 1 || operation.terms[0].factors.size() != 2) return false;
  const auto& factors = operation.terms[0].factors;
  const auto shape = [&](const Operand& operand) { return formula.arrays[operand.array].shape.get(); };
  if (!shape(operation.out)->symmetry().empty() || !all_differ(operation.out.labels)) return false;
  for (const Operand& factor : factors) {
    if (!all_differ(factor.labels) || factor.array == operation.out.array) return false;
    if (homes[factor.array] != Home::memory && !shape(factor)->symmetry().empty()) return false;
  }
  const auto has = [](const Operand& operand, int label) { return compile::contains(operand.labels, label); };
  for (int label : operation.out.labels) {
    if (!has(factors[0], label) && !has(factors[1], label)) return false;
  }
  const std::vector<std::int64_t> extents = formula.extents();
  const auto is_empty = [&](const Operand& operand) {
    return std::any_of(operand.labels.begin(), operand.labels.end(), [&](int label) { return extents[label] < 1; });
  };
  if (is_empty(operation.out) || is_empty(factors[0]) || is_empty(factors[1])) return false;
  return planning::wants_matrix_product(symmetry::fold({shape(operation.out), operation.out.labels},
                                                       {shape(factors[0]), factors[0].labels},
                                                       {shape(factors[1]), factors[1].labels}, extents));
}

FusedTree tree_below(const Formula& formula, const std::vector<Operation>& list, std::size_t root,
                     const std::vector<Home>& homes, const std::vector<bool>& may_vanish) {
  return TreeMaker(formula, list, homes, may_vanish).make(root);
}

}  // namespace ricci::program
