#include "api/sequence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "api/planned_once.hpp"
#include "api/tensor_state.hpp"
#include "api/whole_tensor.hpp"
#include "api/world_state.hpp"
#include "plan/forced_blocks.hpp"
#include "plan/sequence.hpp"

namespace ricci::detail {

namespace {

using Prepared = std::vector<std::shared_ptr<const PreparedStatement>>;

class Preparation {
 public:
  Preparation(const std::vector<StatementView>& statements, const Options& options)
      : statements_(statements), options_(options), world_(statements[0].output.tensor->world) {
    sequence_.ranks = world_.size();
    sequence_.runs = std::max(1, options.runs);
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
    Prepared prepared = plan();
    if (options_.memory_limit <= 0) return prepared;
    // A leaner statement may leave its tensors elsewhere, so that others need more.
    for (bool all_fit = false; !std::exchange(all_fit, true);) {
      for (std::size_t s = 0; s < statements_.size(); ++s) {
        if (fits(prepared, s)) continue;
        const bool was_lean = sequence_.goals[s].most_buffers >= 0;
        if (was_lean) prepared[s]->check_memory(statements_[s], options_);
        make_lean(prepared, s);
        all_fit = false;
      }
    }
    give_back_heap();
    return prepared;
  }

 private:
  bool fits(const Prepared& prepared, std::size_t s) const {
    return prepared[s]->bytes_needed(statements_[s], options_) <= options_.memory_limit;
  }

  /// Planning takes and frees some MB in small pieces, which the heap would keep beside what the statement needs.
  static void give_back_heap() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
  }

  /// The leanest plan first: what it needs is what a message can promise. Then as much for buffers as there can be, in
  /// steps that do not depend on the limit: a larger limit never ends with a leaner plan.
  void make_lean(Prepared& prepared, std::size_t s) {
    if (prepared[s]->is_whole()) prepared[s]->check_memory(statements_[s], options_);
    Prepared lean = plan_with(s, 0);
    if (!fits(lean, s)) {
      const auto needed = [&](const Prepared& plans) { return plans[s]->bytes_needed(statements_[s], options_); };
      (needed(prepared) < needed(lean) ? prepared : lean)[s]->check_memory(statements_[s], options_);
    }
    const std::int64_t size = static_cast<std::int64_t>(element_size(statements_[s].output.tensor->type));
    const std::int64_t left = options_.memory_limit - lean[s]->bytes_needed(statements_[s], options_);
    const std::int64_t least = lean[s]->buffers();
    prepared = std::move(lean);
    int low = 0;
    while (rung(low + 1) <= least) ++low;
    int high = low + 1;
    while (rung(high - 1) < 2 * (least + left / size)) ++high;
    std::int64_t buffers = 0;  // that the plan so far may have
    for (int middle = high - 1; high - low > 1; middle = (low + high) / 2) {
      Prepared other = plan_with(s, rung(middle));
      if (fits(other, s)) {
        low = middle;
        buffers = rung(middle);
        prepared = std::move(other);
      } else {
        high = middle;
      }
    }
    sequence_.goals[s].most_buffers = buffers;
  }

  /// Elements: half as many again, from 1024 on.
  static std::int64_t rung(int number) { return static_cast<std::int64_t>(1024 * std::pow(1.5, number)); }

  Prepared plan_with(std::size_t s, std::int64_t most_buffers) {
    sequence_.goals[s].most_buffers = most_buffers;
    sequence_.goals[s].rival = 0;
    sequence_.goals[s].known = &known_;
    return plan();
  }

  int number_of(const TensorState& tensor) {
    const auto known = std::find(tensors_.begin(), tensors_.end(), &tensor);
    if (known != tensors_.end()) return static_cast<int>(known - tensors_.begin());
    tensors_.push_back(&tensor);
    sequence_.tensors.push_back({tensor.shape, tensor.placement->distribution().layout(), tensor.stays});
    return static_cast<int>(tensors_.size()) - 1;
  }

  Prepared plan() const {
    std::string key = fmt::format("{} {} {}", world_.size(), sequence_.runs, options_.blocks);
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      const planning::SpreadGoal& goal = sequence_.goals[s];
      for (int tensor : sequence_.statements[s].tensors) key += fmt::format(" t{}", tensor);
      key += fmt::format(" {} {} {} {}", goal.most_buffers, goal.rival, static_cast<int>(goal.strategy),
                         cache_key(statements_[s]));
    }
    const MachineModel& machine = world_.size() > 1 ? world_.state().common_machine() : world_.state().machine;
    auto plans = planned_once(key, [&] { return planning::plan_sequence(sequence_, machine); });
    Prepared prepared;
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      prepared.push_back(plans[s] ? std::make_shared<const PreparedStatement>(statements_[s], std::move(*plans[s]))
                                  : std::make_shared<const PreparedStatement>(sequence_.statements[s].local));
    }
    return prepared;
  }

  const std::vector<StatementView>& statements_;
  const Options& options_;
  const World& world_;
  std::vector<const TensorState*> tensors_;  // by number
  planning::Sequence sequence_;
  planning::KnownSpreads known_;
};

}  // namespace

Prepared prepare(const std::vector<StatementView>& statements, const Options& options) {
  for (const StatementView& statement : statements) check_not_empty(statement);
  // Tensors of different worlds have nothing to do with each other.
  Prepared prepared(statements.size());
  for (std::size_t first = 0; first < statements.size(); ++first) {
    if (prepared[first]) continue;
    const auto& communicator = communicator_of(*statements[first].output.tensor);
    std::vector<StatementView> of_world;
    std::vector<std::size_t> numbers;
    for (std::size_t s = first; s < statements.size(); ++s) {
      if (!communicator_of(*statements[s].output.tensor).same_ranks(communicator)) continue;
      of_world.push_back(statements[s]);
      numbers.push_back(s);
    }
    Prepared together = Preparation(of_world, options).run();
    for (std::size_t i = 0; i < numbers.size(); ++i) prepared[numbers[i]] = std::move(together[i]);
  }
  return prepared;
}

}  // namespace ricci::detail
