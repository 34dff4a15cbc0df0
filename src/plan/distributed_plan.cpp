#include "plan/distributed_plan.hpp"

#include <utility>

#include "plan/desymmetrise.hpp"

namespace ricci::planning {

namespace {

class Planner {
 public:
  Planner(LocalPlan local, std::vector<Layout> layouts, bool output_stays, int ranks, const MachineModel& machine,
          const SpreadGoal& goal)
      : machine_(machine), goal_(goal) {
    plan_.local = std::move(local);
    plan_.layouts = std::move(layouts);
    plan_.output_stays = output_stays;
    plan_.ranks = ranks;
    for (const Layout& layout : plan_.layouts) where_.emplace_back(layout);
    where_.resize(plan_.local.slots.size());
  }

  DistributedPlan run() {
    const std::vector<Node> nodes = std::exchange(plan_.local.nodes, {});
    for (const Node& node : nodes) add(node);
    plan_.output = *where_[0];
    verify(plan_.local);
    return std::move(plan_);
  }

 private:
  PlacedTensor placed(const Use& use) const {
    if (use.slot == Use::none) return {};
    if (use.slot == Use::one) {
      return {
          std::make_shared<const symmetry::Shape>(Extents{}, Symmetry{}), {}, Layout::replicated(0, plan_.ranks), true};
    }
    return {plan_.local.slots[use.slot], use.labels, where_[use.slot], true};
  }

  void add(const Node& node) {
    SpreadNode spread;
    spread.problem.c = placed(node.out);
    if (node.kind == NodeKind::clear) {
      const auto& where = where_[node.out.slot];
      spread.spread.c = where ? *where : layout::default_layout(*plan_.local.slots[node.out.slot], plan_.ranks);
      return push(node, std::move(spread));
    }
    SpreadProblem& problem = spread.problem;
    problem.c.stays = node.out.slot == 0 && plan_.output_stays;
    if (!problem.c.stays && !node.accumulate) problem.c.layout.reset();  // what was there does not matter
    problem.a = placed(node.a);
    problem.b = placed(node.b);
    const auto labelled = [](const PlacedTensor& tensor) -> symmetry::Labelled {
      return {tensor.shape.get(), tensor.labels};
    };
    problem.extents = plan_.local.statement.extents;
    problem.fold = symmetry::fold(labelled(problem.c), labelled(problem.a), labelled(problem.b), problem.extents);
    problem.accumulate = node.accumulate;
    problem.ranks = plan_.ranks;
    problem.element_size = element_size(plan_.local.statement.type);
    problem.flops_per_product = is_complex(plan_.local.statement.type) ? 8 : 2;
    StrategyChoice choice = choose_strategy(problem, machine_, goal_);
    if (!choice.desymmetrised) {
      spread.spread = std::move(choice.direct);
      return push(node, std::move(spread));
    }
    Node after = node;
    for (UnpackedOperand& operand : choice.desymmetrised->operands) {
      Use& use = operand.is_b ? after.b : after.a;
      use = unpack(use, std::move(operand));
    }
    push(std::move(after), {std::move(choice.desymmetrised->problem), std::move(choice.desymmetrised->spread)});
  }

  /// Adds the copy of an operand into a temporary; what stands for the operand then.
  Use unpack(const Use& packed, UnpackedOperand&& operand) {
    const int slot = static_cast<int>(plan_.local.slots.size());
    plan_.local.slots.push_back(operand.problem.c.shape);
    where_.emplace_back();
    Node copy;
    copy.kind = NodeKind::map;
    copy.out = {slot, packed.labels, false};
    copy.a = {packed.slot, packed.labels, false};
    copy.accumulate = false;
    copy.products = operand.problem.fold.products();
    copy.cost.flops = copy.products * operand.problem.flops_per_product / 2;
    copy.cost.bytes = plan_.local.slot_bytes(slot) + plan_.local.slot_bytes(packed.slot);
    plan_.local.cost.flops += copy.cost.flops;
    plan_.local.cost.bytes += copy.cost.bytes;
    push(std::move(copy), {std::move(operand.problem), std::move(operand.spread)});
    return {slot, packed.labels, packed.conjugate};
  }

  void push(Node node, SpreadNode spread) {
    if (!spread.problem.c.stays || plan_.local.is_temporary(node.out.slot)) where_[node.out.slot] = spread.spread.c;
    plan_.local.nodes.push_back(std::move(node));
    plan_.nodes.push_back(std::move(spread));
  }

  const MachineModel& machine_;
  const SpreadGoal& goal_;
  DistributedPlan plan_;
  std::vector<std::optional<Layout>> where_;  // [slot]
};

}  // namespace

DistributedPlan plan_distributed(LocalPlan local, std::vector<Layout> layouts, bool output_stays, int ranks,
                                 const MachineModel& machine, const SpreadGoal& goal) {
  return Planner(std::move(local), std::move(layouts), output_stays, ranks, machine, goal).run();
}

}  // namespace ricci::planning
