#include "api/sequence.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/memory_need.hpp"
#include "api/planned_once.hpp"
#include "api/tensor_state.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"
#include "plan/forced_blocks.hpp"
#include "plan/lean_search.hpp"
#include "plan/sequence.hpp"
#include "util/give_back_heap.hpp"

namespace ricci::detail {

namespace {

class Preparation {
 public:
  Preparation(const std::vector<StatementView>& statements, const Options& options)
      : statements_(statements), options_(options), world_(statements[0].output.tensor->world) {
    sequence_.ranks = world_.size();
    sequence_.runs = std::max(1, options.runs);
    is_lean_.assign(statements.size(), false);
    for (const StatementView& statement : statements) {
      planning::SequenceStatement& added =
          sequence_.statements.emplace_back(planning::SequenceStatement{plan_locally(statement, options), {}});
      for_each_tensor(statement, [&](const Factor& factor) { added.tensors.push_back(number_of(*factor.tensor)); });
      sequence_.goals.push_back({-1, options.rival, options.strategy,
                                 planning::parse_blocks(options.blocks, added.local.statement, sequence_.ranks)});
    }
  }

  /// With a memory limit, a statement that needs more gets the fastest plan that fits on every rank.
  Prepared run() {
    Plans plans = plan_spreads();
    if (options_.memory_limit <= 0) return made_ready(std::move(plans));
    if (statements_.size() == 1 && surely_needs_more(plans, 0)) {
      if (std::optional<Prepared> lean = with_lean(false, 0)) return std::move(*lean);
      return as_lean_as_can_be({std::numeric_limits<std::int64_t>::max()});
    }
    Prepared prepared = made_ready(std::move(plans));
    const std::vector<std::int64_t> at_first = needed(prepared);
    // A leaner statement may leave its tensors elsewhere, so that others need more.
    for (bool all_fit = false; !std::exchange(all_fit, true);) {
      for (std::size_t s = 0; s < statements_.size(); ++s) {
        if (needed(prepared)[s] <= options_.memory_limit) continue;
        std::optional<Prepared> lean;
        if (!is_lean_[s]) lean = with_lean(prepared[s]->is_whole(), s);
        if (!lean) return as_lean_as_can_be(at_first);
        is_lean_[s] = true;
        prepared = std::move(*lean);
        all_fit = false;
      }
    }
    return prepared;
  }

 private:
  using Plans = std::vector<std::optional<planning::DistributedPlan>>;  // of those on several ranks

  /// By each statement. A second run may begin elsewhere.
  std::vector<std::int64_t> needed(const Prepared& prepared) const {
    return bytes_needed(statements_, prepared, options_, 2);
  }

  /// Nothing where statement s cannot do with the limit.
  std::optional<Prepared> with_lean(bool is_whole, std::size_t s) {
    planning::SpreadGoal& goal = sequence_.goals[s];
    goal.known = &known_;
    if (is_whole) {  // kernels are all that can be lean
      goal.lean = true;
      Prepared lean = plan();
      if (needed(lean)[s] > options_.memory_limit) return std::nullopt;
      return lean;
    }
    const auto try_out = [&](const planning::SpreadGoal& tried) -> planning::TriedGoal {
      goal = tried;
      Plans spreads = plan_spreads();
      const bool is_leanest = tried.most_buffers == 0;
      if (!is_leanest && surely_needs_more(spreads, s)) return {std::numeric_limits<std::int64_t>::max(), 0, 0};
      Prepared plans = made_ready(std::move(spreads));
      const planning::TriedGoal result{needed(plans)[s], plans[s]->buffers(), plans[s]->seconds(sequence_.runs)};
      if (statements_.size() == 1 && is_leanest) leanest_ = std::move(plans);
      return result;
    };
    const bool moves = sequence_.statements.size() * static_cast<std::size_t>(sequence_.runs) > 1;
    const std::optional<planning::SpreadGoal> chosen = planning::choose_lean_goal(
        goal, options_.memory_limit, element_size(statements_[s].output.tensor->type), moves, try_out);
    if (!chosen) return std::nullopt;
    goal = *chosen;
    return plan();
  }

  /// All statements at their leanest. Where that is still too much, it is what a message can promise to suffice, or
  /// what they needed at first.
  Prepared as_lean_as_can_be(const std::vector<std::int64_t>& at_first) {
    for (planning::SpreadGoal& goal : sequence_.goals) {
      goal.rival = goal.phases = 0;
      goal.most_buffers = 0;
      goal.lean = true;
      goal.known = &known_;
    }
    Prepared prepared = leanest_ ? std::move(*leanest_) : plan();
    const std::vector<std::int64_t> at_last = needed(prepared);
    const auto most = std::max_element(at_last.begin(), at_last.end());
    if (*most <= options_.memory_limit) return prepared;
    const std::int64_t least = std::min(*most, *std::max_element(at_first.begin(), at_first.end()));
    refuse(statements_[static_cast<std::size_t>(most - at_last.begin())], least, options_);
  }

  int number_of(const TensorState& tensor) {
    const auto known = std::find(tensors_.begin(), tensors_.end(), &tensor);
    if (known != tensors_.end()) return static_cast<int>(known - tensors_.begin());
    tensors_.push_back(&tensor);
    sequence_.tensors.push_back({tensor.shape, tensor.placement->distribution().layout(), tensor.stays});
    return static_cast<int>(tensors_.size()) - 1;
  }

  /// The programs of a plan with large buffers are large, too, and have no place where those have none. Buffers are
  /// counted roughly here: the plan is made ready, and counted exactly, where three quarters of them would fit.
  /// Collective.
  bool surely_needs_more(const Plans& plans, std::size_t s) const {
    if (!plans[s]) return false;
    const TensorState& output = *statements_[s].output.tensor;
    const auto size = static_cast<std::int64_t>(element_size(output.type));
    std::int64_t least = 0;
    for (const planning::SpreadNode& node : plans[s]->nodes) {
      const bool is_away = !node.problem.c.layout || !(*node.problem.c.layout == node.spread.c);
      const std::int64_t before = is_away ? output.data.bytes() : 0;  // a new output is among the buffers
      least = std::max(least, node.spread.buffers / 4 * 3 * size - before);
    }
    least += world_.state().tensors.live();
    return communicator_of(output).all_reduce(least, comm::Operation::max) > options_.memory_limit;
  }

  Prepared plan() const { return made_ready(plan_spreads()); }

  Plans plan_spreads() const {
    std::string key = fmt::format("{} {} {}", world_.size(), sequence_.runs, options_.blocks);
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      const planning::SpreadGoal& goal = sequence_.goals[s];
      for (int tensor : sequence_.statements[s].tensors) key += fmt::format(" t{}", tensor);
      key += fmt::format(" {} {} {} {} {} {}", goal.most_buffers, goal.phases, goal.lean, goal.rival,
                         static_cast<int>(goal.strategy), cache_key(statements_[s]));
    }
    const MachineModel& machine = world_.size() > 1 ? world_.state().common_machine() : world_.state().machine;
    return planned_once(key, [&] { return planning::plan_sequence(sequence_, machine); });
  }

  Prepared made_ready(Plans plans) const {
    Prepared prepared;
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      prepared.push_back(plans[s] ? std::make_shared<const PreparedStatement>(statements_[s], std::move(*plans[s]))
                                  : std::make_shared<const PreparedStatement>(
                                        statements_[s], sequence_.statements[s].local,
                                        sequence_.goals[s].lean ? kernels::Blocks::lean : kernels::Blocks::usual));
    }
    return prepared;
  }

  const std::vector<StatementView>& statements_;
  const Options& options_;
  const World& world_;
  std::vector<const TensorState*> tensors_;  // by number
  planning::Sequence sequence_;
  planning::KnownSpreads known_;
  std::vector<bool> is_lean_;        // [statement]: its plan was chosen for the sake of the limit
  std::optional<Prepared> leanest_;  // of a statement by itself, once it was tried
};

}  // namespace

Prepared prepare(const std::vector<StatementView>& statements, const Options& options) {
  for (const StatementView& statement : statements) check_not_empty(statement);
  Prepared prepared(statements.size());
  for_each_world(statements, [&](const std::vector<std::size_t>& numbers) {
    std::vector<StatementView> of_world;
    for (std::size_t s : numbers) of_world.push_back(statements[s]);
    Prepared together = Preparation(of_world, options).run();
    for (std::size_t i = 0; i < numbers.size(); ++i) prepared[numbers[i]] = std::move(together[i]);
  });
  // Planning takes and frees some MB in small pieces, which the heap would keep beside what the statement needs.
  if (options.memory_limit > 0) give_back_heap();
  return prepared;
}

}  // namespace ricci::detail
