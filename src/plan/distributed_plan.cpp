#include "plan/distributed_plan.hpp"

#include <algorithm>

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
    }
    where_.resize(plan_.local.slots.size());
  }

  DistributedPlan run() {
    for (const Node& node : plan_.local.nodes) add(node);
    plan_.output = *where_[0];
    const std::size_t size = element_size(plan_.local.statement.type);
    for (std::size_t slot = output_is_only_written(plan_.local) ? 1 : 0; slot < plan_.layouts.size(); ++slot) {
      if (plan_.before[slot] == plan_.layouts[slot]) continue;
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
    } else {
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
      spread.spread = choose_spread(problem, machine_, goal_);
      put(node.a, problem.a, spread.spread.a);
      put(node.b, problem.b, spread.spread.b);
    }
    if (!spread.problem.c.stays || plan_.local.is_temporary(node.out.slot)) {
      if (node.out.slot == 0 && !output_is_made_ && !reads_output(plan_.local)) begin_there(node, spread);
      where_[node.out.slot] = spread.spread.c;
    }
    output_is_made_ = output_is_made_ || node.out.slot == 0;
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
    if (node.kind == NodeKind::clear || spread.problem.c.layout == spread.spread.c) return;
    spread.problem.c.layout = spread.spread.c;
    recount(spread.problem, machine_, spread.spread);
  }

  const MachineModel& machine_;
  const SpreadGoal& goal_;
  DistributedPlan plan_;
  bool output_is_made_ = false;
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
