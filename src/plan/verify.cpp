#include <fmt/format.h>

#include <ricci/error.hpp>

#include "plan/local_plan.hpp"

namespace ricci::planning {

namespace {

void require(bool holds, std::size_t node, const char* what) {
  if (!holds) throw InternalError(fmt::format("the plan is broken at node {}: {}", node, what));
}

bool fits(const LocalPlan& plan, const Use& use) {
  if (use.slot == Use::one) return use.labels.empty();
  if (use.slot < 0 || use.slot >= static_cast<int>(plan.slots.size())) return false;
  const auto& extents = plan.slots[use.slot]->extents();
  if (extents.size() != use.labels.size()) return false;
  for (std::size_t mode = 0; mode < extents.size(); ++mode) {
    const int label = use.labels[mode];
    if (label < 0 || label >= static_cast<int>(plan.statement.extents.size())) return false;
    if (plan.statement.extents[label] != extents[mode]) return false;
  }
  return true;
}

/// Whether a factor is the tensor that the statement assigns to.
bool is_output(const LocalPlan& plan, int slot) {
  int at = 1;
  for (const auto& term : plan.statement.terms) {
    for (const auto& factor : term) {
      if (at++ == slot) return factor.is_output;
    }
  }
  return false;
}

}  // namespace

void verify(const LocalPlan& plan) {
  std::vector<bool> written(plan.slots.size(), false);
  for (int slot = 0; slot < plan.first_temporary; ++slot) written[slot] = slot > 0 || !plan.statement.overwrite;
  bool output_written = false;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const Node& node = plan.nodes[n];
    require(fits(plan, node.out) && node.out.slot >= 0, n, "the output's labels do not fit its slot");
    require(node.out.slot == 0 || plan.is_temporary(node.out.slot), n, "it writes to an operand");
    require(node.term < static_cast<int>(plan.statement.terms.size()), n, "it names a term that is not there");
    if (node.kind != NodeKind::clear) {
      require(fits(plan, node.a), n, "the first operand's labels do not fit its slot");
      require(node.b.slot == Use::none || fits(plan, node.b), n, "the second operand's labels do not fit its slot");
      require(node.kind != NodeKind::contract || node.b.slot >= 0, n, "a contraction has one operand");
      for (const Use* use : {&node.a, &node.b}) {
        if (use->slot < 0) continue;
        require(use->slot != node.out.slot, n, "it reads what it writes");
        require(written[use->slot], n, "it reads a slot that nothing has written");
        const bool after_change = plan.statement.terms.size() > 0 && output_written && use->slot > 0 &&
                                  use->slot < plan.first_temporary && is_output(plan, use->slot);
        require(!after_change, n, "it reads the output after changing it");
      }
    }
    require(!node.accumulate || written[node.out.slot], n, "it adds to a slot that nothing has written");
    written[node.out.slot] = true;
    output_written = output_written || node.out.slot == 0;
  }
  require(written[0], plan.nodes.size(), "the output is never written");
}

}  // namespace ricci::planning
