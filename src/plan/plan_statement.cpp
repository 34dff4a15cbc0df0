// From a bound statement to a plan: each term becomes a chain of binary contractions in the cheapest order.
#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "plan/contraction_order.hpp"
#include "plan/local_plan.hpp"
#include "symmetry/fold.hpp"

namespace ricci::planning {

using notation::BoundStatement;
using notation::BoundTensor;
using notation::ShapePointer;
using symmetry::Fold;
using symmetry::Labelled;
using symmetry::Role;
using symmetry::Shape;

namespace {

LabelSet label_set(const std::vector<int>& labels) {
  LabelSet set = 0;
  for (int label : labels) set |= LabelSet{1} << label;
  return set;
}

std::vector<int> distinct(const std::vector<int>& labels, LabelSet among) {
  std::vector<int> result;
  for (int label : labels) {
    const bool wanted = (among >> label) & 1;
    if (wanted && std::find(result.begin(), result.end(), label) == result.end()) result.push_back(label);
  }
  return result;
}

class Planner {
 public:
  Planner(BoundStatement statement, const MachineModel& machine, const Options& options)
      : machine_(machine), options_(options) {
    plan_.statement = std::move(statement);
    check_label_count();
    plan_.slots.push_back(plan_.statement.output.shape);
    for (const auto& term : plan_.statement.terms) {
      for (const BoundTensor& factor : term) plan_.slots.push_back(factor.shape);
    }
    plan_.first_temporary = static_cast<int>(plan_.slots.size());
  }

  LocalPlan run() {
    const BoundStatement& s = plan_.statement;
    const Use output{0, s.output.labels, false};
    Use target = output;
    target_is_fresh_ = s.overwrite;

    // The right-hand side is evaluated wholly before the output changes.
    const bool reads_output = std::any_of(s.terms.begin(), s.terms.end(), [](const auto& term) {
      return std::any_of(term.begin(), term.end(), [](const BoundTensor& factor) { return factor.is_output; });
    });
    if (reads_output) {
      target.slot = temporary(s.output.shape);
      target_is_fresh_ = true;
    }
    int slot = 1;
    for (std::size_t t = 0; t < s.terms.size(); ++t) {
      std::vector<Use> factors;
      for (const BoundTensor& factor : s.terms[t]) factors.push_back({slot++, factor.labels, factor.conjugate});
      plan_term(static_cast<int>(t), std::move(factors), target);
    }
    if (target_is_fresh_) clear(target);
    if (reads_output) copy_to_output(target);
    finish();
    return std::move(plan_);
  }

 private:
  void check_label_count() const {
    if (plan_.statement.label_names.size() > 64) {
      throw InputError(fmt::format("the statement has {} different labels; at most 64 are possible: split it in two",
                                   plan_.statement.label_names.size()));
    }
  }

  int temporary(ShapePointer shape) {
    plan_.slots.push_back(std::move(shape));
    return static_cast<int>(plan_.slots.size()) - 1;
  }

  Labelled labelled(const Use& use) const {
    static const Shape scalar{Extents{}, Symmetry{}};
    if (use.slot == Use::none) return {};
    return {use.slot == Use::one ? &scalar : plan_.slots[use.slot].get(), use.labels};
  }

  Extents extents_of(const std::vector<int>& labels) const {
    Extents extents;
    for (int label : labels) extents.push_back(plan_.statement.extents[label]);
    return extents;
  }

  void plan_term(int term, std::vector<Use> factors, const Use& target) {
    if (factors.empty()) factors.push_back({Use::one, {}, false});
    if (factors.size() == 1) return add_node(target, factors[0], {}, term);

    const LabelSet output = label_set(target.labels);
    std::vector<LabelSet> sets;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      factors[f] = sum_own_labels(factors, f, output);
      sets.push_back(label_set(factors[f].labels));
    }
    if (std::exchange(vanished_, false)) return;
    LabelSet anywhere = 0;
    for (LabelSet set : sets) anywhere |= set;

    const ContractionOrder order = best_order(sets, output, plan_.statement.extents);
    for (std::size_t m = 0; m < order.merges.size(); ++m) {
      const Use left = factors[order.merges[m].left], right = factors[order.merges[m].right];
      const bool last = m + 1 == order.merges.size();
      // A label that only the output has is filled in afterwards, rather than multiplied over and over.
      if (last && (output & ~anywhere) == 0) return add_node(target, left, right, term);
      LabelSet needed = output;
      for (std::size_t k = 0; k < factors.size(); ++k) {
        const bool used_later = std::any_of(
            order.merges.begin() + static_cast<std::ptrdiff_t>(m) + 1, order.merges.end(), [&](const Merge& merge) {
              return merge.left == static_cast<int>(k) || merge.right == static_cast<int>(k);
            });
        if (used_later) needed |= label_set(factors[k].labels);
      }
      factors.push_back(product(left, right, needed));
      if (std::exchange(vanished_, false)) return;
    }
    add_node(target, factors.back(), {}, term);
  }

  /// Sums a factor over labels that stand nowhere else in the term, so that they are not multiplied with.
  Use sum_own_labels(const std::vector<Use>& factors, std::size_t f, LabelSet output) {
    LabelSet elsewhere = output;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (k != f) elsewhere |= label_set(factors[k].labels);
    }
    if ((label_set(factors[f].labels) & ~elsewhere) == 0) return factors[f];
    return product(factors[f], {}, elsewhere);
  }

  /// A temporary for a·b (or a alone) that keeps the labels in `needed`, with the symmetry that it has by itself.
  Use product(const Use& a, const Use& b, LabelSet needed) {
    std::vector<int> all = a.labels;
    all.insert(all.end(), b.labels.begin(), b.labels.end());
    const std::vector<int> kept = distinct(all, needed);
    std::vector<Labelled> operands{labelled(a)};
    if (b.slot != Use::none) operands.push_back(labelled(b));
    const Symmetry symmetry = symmetry::inherited_symmetry(operands, kept);
    const Use result{temporary(std::make_shared<const Shape>(extents_of(kept), symmetry)), kept, false};
    const bool saved = std::exchange(target_is_fresh_, true);
    add_node(result, a, b, -1);
    vanished_ = vanished_ || target_is_fresh_;
    target_is_fresh_ = saved;
    return result;
  }

  /// Adds a·b (or a) to a tensor, overwriting it where it is fresh and every element is reached.
  void add_node(const Use& out, const Use& a, const Use& b, int term) {
    const Fold fold = symmetry::fold(labelled(out), labelled(a), labelled(b), plan_.statement.extents);
    if (fold.vanishes || is_empty(a) || is_empty(b)) return;
    if (target_is_fresh_ && !fold.covers) clear(out);
    Node node;
    node.kind = b.slot != Use::none && wants_matrix_product(fold) ? NodeKind::contract : NodeKind::map;
    node.out = out;
    node.a = a;
    node.b = b;
    node.term = term;
    node.accumulate = !std::exchange(target_is_fresh_, false);
    node.products = fold.products();
    node.folding = describe_folding(fold);
    node.cost = cost_of(node, fold);
    plan_.nodes.push_back(std::move(node));
  }

  /// A tensor without a single stored element is zero everywhere (an antisymmetric pair of extent 1, for example).
  bool is_empty(const Use& use) const { return use.slot >= 0 && plan_.slots[use.slot]->stored_size() == 0; }

  std::string describe_folding(const Fold& fold) const {
    std::string text;
    for (const auto& unit : fold.units) {
      if (unit.degree() < 2) continue;
      if (!text.empty()) text += ' ';
      for (std::size_t i = 0; i < unit.labels.size(); ++i) {
        if (i > 0) text += unit.strict ? "<" : "<=";
        text += plan_.statement.label_names[unit.labels[i]];
      }
    }
    for (const auto& [readings, operand] :
         {std::pair(fold.a_readings.size(), "first"), std::pair(fold.b_readings.size(), "second")}) {
      if (readings > 1)
        text += fmt::format("{}{} operand symmetrised, {} readings", text.empty() ? "" : ", ", operand, readings);
    }
    return text;
  }

  void clear(const Use& out) {
    Node node;
    node.kind = NodeKind::clear;
    node.out = out;
    node.accumulate = false;
    node.cost.bytes = plan_.slot_bytes(out.slot);
    node.cost.seconds = seconds_for(0, node.cost.bytes);
    plan_.nodes.push_back(std::move(node));
    target_is_fresh_ = false;
  }

  void copy_to_output(const Use& result) {
    // Each under labels of its own, so that a repeated output label does not stand in the way.
    Use out{0, {}, false}, from{result.slot, {}, false};
    for (std::size_t mode = 0; mode < result.labels.size(); ++mode) {
      out.labels.push_back(fresh_label(plan_.statement.output.shape->extents()[mode]));
    }
    from.labels = out.labels;
    target_is_fresh_ = plan_.statement.overwrite;
    add_node(out, from, {}, -1);
    if (target_is_fresh_) clear(out);
  }

  int fresh_label(std::int64_t extent) {
    plan_.statement.label_names.push_back(fmt::format("m{}", ++fresh_labels_));
    plan_.statement.extents.push_back(extent);
    return static_cast<int>(plan_.statement.extents.size()) - 1;
  }

  Cost cost_of(const Node& node, const Fold& fold) const {
    Cost cost;
    const double per_product = is_complex(plan_.statement.type) ? 8 : 2;
    cost.flops = node.products * (node.b.slot == Use::none ? per_product / 2 : per_product);
    cost.bytes = plan_.slot_bytes(node.out.slot) * (node.accumulate ? 2 : 1);
    for (const Use* use : {&node.a, &node.b}) {
      if (use->slot >= 0) cost.bytes += plan_.slot_bytes(use->slot);
    }
    const double flops = node.kind == NodeKind::contract ? cost.flops : 0;
    const double copied = 2 * copies(node, fold) * static_cast<double>(element_size(plan_.statement.type));
    cost.seconds = seconds_for(flops, static_cast<std::int64_t>(copied));
    return cost;
  }

  /// Elements that are brought to the kernels and back, each as often as it could be copied meanwhile. Those of packed
  /// operands are looked for one by one. Measured (docs/algorithms/local-contraction.md).
  double copies(const Node& node, const Fold& fold) const {
    using symmetry::Role;
    const bool multiplies = node.kind == NodeKind::contract;
    const double plain = multiplies ? 1 : 4, packed = multiplies ? 3.5 : 4, output = multiplies ? 1.75 : 4;
    const auto size = [&](Role role) { return static_cast<double>(fold.size(role)); };
    const auto operand = [&](const Use& use, Role role, std::size_t readings) {
      const bool is_packed = use.slot >= 0 && !plan_.slots[use.slot]->symmetry().groups().empty();
      return (is_packed ? packed : plain) * size(role) * size(Role::summed) * static_cast<double>(readings);
    };
    const double b = node.b.slot == Use::none ? 0 : operand(node.b, Role::column, fold.b_readings.size());
    return size(Role::batch) *
           (operand(node.a, Role::row, fold.a_readings.size()) + b + output * size(Role::row) * size(Role::column));
  }

  double seconds_for(double flops, std::int64_t bytes) const {
    const double type_factor =
        element_size(plan_.statement.type) == 4 || plan_.statement.type == ElementType::c32 ? 0.5 : 1;
    const bool many = options_.threads != 1;
    return flops * type_factor / (many ? machine_.gemm_flops_threads : machine_.gemm_flops) +
           static_cast<double>(bytes) / (many ? machine_.copy_bandwidth_threads : machine_.copy_bandwidth);
  }

  void finish() {
    for (const Node& node : plan_.nodes) {
      plan_.cost.flops += node.cost.flops;
      plan_.cost.bytes += node.cost.bytes;
      plan_.cost.seconds += node.cost.seconds;
    }
    plan_.cost.peak_bytes = peak_of_temporaries();
  }

  /// Temporaries are made by the node that first writes them and freed after the last that reads them.
  std::int64_t peak_of_temporaries() {
    const std::size_t count = plan_.slots.size();
    std::vector<std::size_t> last(count, 0);
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      for (const Use* use : {&plan_.nodes[n].out, &plan_.nodes[n].a, &plan_.nodes[n].b}) {
        if (use->slot >= 0) last[use->slot] = n;
      }
    }
    std::vector<bool> alive(count, false);
    std::int64_t now = 0, peak = 0;
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      Node& node = plan_.nodes[n];
      if (plan_.is_temporary(node.out.slot) && !alive[node.out.slot]) {
        alive[node.out.slot] = true;
        now += plan_.slot_bytes(node.out.slot);
      }
      node.cost.peak_bytes = now;
      peak = std::max(peak, now);
      for (int slot = plan_.first_temporary; slot < static_cast<int>(count); ++slot) {
        if (alive[slot] && last[slot] == n) {
          alive[slot] = false;
          now -= plan_.slot_bytes(slot);
        }
      }
    }
    return peak;
  }

  LocalPlan plan_;
  const MachineModel& machine_;
  const Options& options_;
  bool target_is_fresh_ = false;  // holds nothing yet: the first node overwrites it
  bool vanished_ = false;         // a symmetry made an intermediate zero
  int fresh_labels_ = 0;
};

}  // namespace

bool wants_matrix_product(const Fold& fold) {
  const bool sums =
      std::any_of(fold.units.begin(), fold.units.end(), [](const auto& unit) { return unit.role == Role::summed; });
  if (!sums) return false;
  return fold.size(Role::row) * fold.size(Role::column) >= 8;
}

std::int64_t LocalPlan::slot_bytes(int slot) const {
  return slots[slot]->stored_size() * static_cast<std::int64_t>(element_size(statement.type));
}

LocalPlan plan_statement(BoundStatement statement, const MachineModel& machine, const Options& options) {
  LocalPlan plan = Planner(std::move(statement), machine, options).run();
  verify(plan);
  return plan;
}

}  // namespace ricci::planning
