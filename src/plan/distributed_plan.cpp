#include "plan/distributed_plan.hpp"

#include <utility>

#include "plan/desymmetrise.hpp"
#include "plan/network.hpp"
#include "plan/simulate_spreads.hpp"

namespace ricci::planning {

namespace {

bool reads_output(const LocalPlan& local) {
  for (const auto& term : local.statement.terms) {
    for (const auto& factor : term) {
      if (factor.is_output) return true;
    }
  }
  return false;
}

class Planner {
 public:
  Planner(LocalPlan local, const std::vector<Place>& places, bool output_stays, int ranks, const MachineModel& machine,
          const SpreadGoal& goal)
      : machine_(machine), goal_(goal) {
    plan_.local = std::move(local);
    plan_.output_stays = output_stays || places[0].wish == Place::Wish::in_layout;
    plan_.ranks = ranks;
    for (const Place& place : places) {
      plan_.before.push_back(place.layout);
      const bool is_moved = place.wish == Place::Wish::in_layout;
      plan_.layouts.push_back(is_moved ? place.wanted : place.layout);
      where_.emplace_back(plan_.layouts.back());
      if (place.wish == Place::Wish::anywhere) where_.back().reset();
      const int slot = static_cast<int>(is_repeated_.size());
      is_repeated_.push_back(place.first_slot >= 0 && place.first_slot < slot);
    }
    where_.resize(plan_.local.slots.size());
  }

  DistributedPlan run() {
    const std::vector<Node> nodes = std::exchange(plan_.local.nodes, {});
    for (const Node& node : nodes) add(node);
    plan_.output = *where_[0];
    verify(plan_.local);
    const std::size_t size = element_size(plan_.local.statement.type);
    for (std::size_t slot = output_is_only_written(plan_.local) ? 1 : 0; slot < plan_.layouts.size(); ++slot) {
      if (plan_.before[slot] == plan_.layouts[slot] || is_repeated_[slot]) continue;
      plan_.moves.push_back({static_cast<int>(slot), move_cost(plan_.local.slots[slot], plan_.before[slot],
                                                               plan_.layouts[slot], size, machine_)});
    }
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
      put(node.a, problem.a, spread.spread.a);
      put(node.b, problem.b, spread.spread.b);
      return push(node, std::move(spread));
    }
    Node after = node;
    for (UnpackedOperand& operand : choice.desymmetrised->operands) {
      Use& use = operand.is_b ? after.b : after.a;
      use = unpack(use, std::move(operand));
    }
    SpreadProblem& unpacked = choice.desymmetrised->problem;
    put(after.a, unpacked.a, choice.desymmetrised->spread.a);
    put(after.b, unpacked.b, choice.desymmetrised->spread.b);
    push(std::move(after), {std::move(unpacked), std::move(choice.desymmetrised->spread)});
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
    if (!spread.problem.c.stays || plan_.local.is_temporary(node.out.slot)) {
      if (node.out.slot == 0 && !output_is_made_ && !reads_output(plan_.local)) begin_there(node, spread);
      where_[node.out.slot] = spread.spread.c;
    }
    output_is_made_ = output_is_made_ || node.out.slot == 0;
    plan_.local.nodes.push_back(std::move(node));
    plan_.nodes.push_back(std::move(spread));
  }

  /// An operand that might be anywhere is now where its first node wants it.
  void put(const Use& use, PlacedTensor& tensor, const Layout& layout) {
    if (!tensor.shape || tensor.layout) return;
    tensor.layout = layout;
    where_[use.slot] = layout;
    plan_.layouts[use.slot] = layout;
  }

  /// An output that may move is where its first node makes it from the beginning: a plan that runs again finds it
  /// there, and nothing is kept twice.
  void begin_there(const Node& node, SpreadNode& spread) {
    plan_.layouts[0] = spread.spread.c;
    if (!(plan_.before[0] == plan_.layouts[0])) plan_.agreement = seconds_of_agreement(machine_, plan_.ranks);
    if (node.kind == NodeKind::clear || spread.problem.c.layout == spread.spread.c) return;
    const bool was_elsewhere = spread.problem.c.layout.has_value();
    const double seconds = spread.spread.seconds;
    spread.problem.c.layout = spread.spread.c;
    measure_spread(spread.problem, machine_, spread.spread);
    if (!was_elsewhere) {
      spread.spread.seconds = seconds;  // its messages are the same
    } else if (goal_.simulate) {
      simulate({{&spread.problem, &spread.spread}}, machine_);
    }
  }

  const MachineModel& machine_;
  const SpreadGoal& goal_;
  DistributedPlan plan_;
  bool output_is_made_ = false;
  std::vector<bool> is_repeated_;             // [slot]: an earlier one has the same tensor
  std::vector<std::optional<Layout>> where_;  // [slot]
};

}  // namespace

bool output_is_only_written(const LocalPlan& plan) { return plan.statement.overwrite && !reads_output(plan); }

double DistributedPlan::seconds() const {
  double seconds = 0;
  for (const SpreadNode& node : nodes) seconds += node.spread.seconds;
  return seconds;
}

DistributedPlan plan_distributed(LocalPlan local, const std::vector<Place>& places, bool output_stays, int ranks,
                                 const MachineModel& machine, const SpreadGoal& goal) {
  return Planner(std::move(local), places, output_stays, ranks, machine, goal).run();
}

}  // namespace ricci::planning
