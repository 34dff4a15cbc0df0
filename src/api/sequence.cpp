#include "api/sequence.hpp"

#include <algorithm>

#include <fmt/format.h>

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

  /// With a memory limit, leaner and leaner plans are tried until a statement fits on every rank; the leanest comes
  /// last, so that what it needs is what a message can promise.
  Prepared run() {
    Prepared prepared = plan();
    if (options_.memory_limit <= 0) return prepared;
    const auto size = static_cast<std::int64_t>(element_size(statements_[0].output.tensor->type));
    for (std::size_t s = 0; s < statements_.size(); ++s) {
      for (std::int64_t part : {3, 2, 1, 0}) {
        if (prepared[s]->bytes_needed(statements_[s], options_) <= options_.memory_limit) break;
        sequence_.goals[s].most_buffers = options_.memory_limit / size * part / 4;
        sequence_.goals[s].rival = 0;
        prepared = plan();
      }
      prepared[s]->check_memory(statements_[s], options_);
    }
    return prepared;
  }

 private:
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
};

}  // namespace

Prepared prepare(const std::vector<StatementView>& statements, const Options& options) {
  if (statements.empty()) return {};
  const auto& communicator = communicator_of(*statements[0].output.tensor);
  const bool one_world = std::all_of(statements.begin(), statements.end(), [&](const StatementView& statement) {
    return communicator_of(*statement.output.tensor).same_ranks(communicator);
  });
  if (one_world) return Preparation(statements, options).run();
  // Tensors of different worlds have nothing to do with each other.
  Prepared prepared;
  for (const StatementView& statement : statements) prepared.push_back(Preparation({statement}, options).run()[0]);
  return prepared;
}

}  // namespace ricci::detail
