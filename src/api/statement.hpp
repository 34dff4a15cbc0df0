#pragma once
// From what was written to an executable: checks, the plan cache, and the run.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <ricci/expression.hpp>
#include <ricci/options.hpp>
#include <ricci/plan.hpp>

#include "exec/distributed.hpp"
#include "exec/executable.hpp"

namespace ricci::detail {

/// A statement seen through references, so that running one copies nothing.
struct StatementView {
  const Factor& output;
  Statement::Kind kind;
  const Expression& right;
};

/// Plans (or finds the plan in the cache of the output's world) and runs.
void run_now(const StatementView& statement);

/// InputError where a tensor has given its contents away: expressions outlive moves.
void check_not_empty(const StatementView& statement);

/// Checks a statement and plans it as for one rank. InputError where its tensors do not go together.
planning::LocalPlan plan_locally(const StatementView& statement, const Options& options);

/// All that a plan depends on, as bytes: types, shapes, layouts, labels.
std::string cache_key(const StatementView& statement);

/// The output, then the factors of all terms in order.
template <class F>
void for_each_tensor(const StatementView& statement, F f) {
  f(statement.output);
  for (const Term& term : statement.right.terms()) {
    for (const Factor& factor : term.factors) f(factor);
  }
}

/// A statement that has been checked, planned and made ready to run.
class PreparedStatement {
 public:
  /// Every rank has all of every tensor.
  explicit PreparedStatement(planning::LocalPlan plan);
  /// The tensors are spread.
  PreparedStatement(const StatementView& statement, planning::DistributedPlan plan);

  const planning::LocalPlan& plan() const;
  /// Every rank has all of every tensor.
  bool is_whole() const { return whole_ != nullptr; }
  /// Elements of the buffers of the node that has most, as the search counted them.
  std::int64_t buffers() const;
  /// Of this rank, from the layouts that the plan was made for.
  Cost cost(const Options& options) const;
  void print(std::ostream& out) const;
  nlohmann::ordered_json json() const;
  /// Of the statement's tensors and its buffers, on the rank that needs most. Collective.
  std::int64_t bytes_needed(const StatementView& statement, const Options& options) const;
  /// ResourceError where that is more than the limit, if there is one. Collective then.
  void check_memory(const StatementView& statement, const Options& options) const;
  /// All that can be known before a run: the tensors are there, have the shapes of the plan, those that the user has
  /// placed its layouts, and all fits into the limit. Collective where there is a limit.
  void check_ready(const StatementView& statement, const Options& options) const;
  /// Tensors that are elsewhere are moved to where the plan wants them, and the output is left where the plan says.
  void run(const StatementView& statement, const Options& options, Report* report) const;

 private:
  /// A tensor that has to be elsewhere before the nodes run, from where it was when the plan was made.
  struct Move {
    std::shared_ptr<const layout::Redistribution> moves;
    std::int64_t before, after, staging;  // bytes of this rank
  };
  /// Where the nodes want a tensor that is not there.
  std::optional<Layout> wanted_elsewhere(std::size_t slot, const TensorState& state) const;
  /// Whether a run would leave the output elsewhere than it is.
  bool is_left_elsewhere(const TensorState& output) const;
  /// Whether any tensor was moved.
  bool bring_tensors(const StatementView& statement, Report* report) const;
  std::optional<std::int64_t> room_for_buffers(const StatementView& statement, const Options& options) const;

  std::unique_ptr<const exec::Executable> whole_;              // every rank has all of every tensor
  std::unique_ptr<const exec::DistributedExecutable> spread_;  // or they are spread
  std::vector<Move> moves_;
  std::int64_t growth_ = 0;  // bytes that this rank has more of the tensors after the moves
};

/// How many threads a statement runs on: one where the caller's threads are at work already.
int thread_count(const Options& options);

}  // namespace ricci::detail
