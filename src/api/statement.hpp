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
#include "exec/tensor_moves.hpp"

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

/// Whether the outputs of two statements belong to the same ranks.
bool of_one_world(const StatementView& one, const StatementView& other);

/// A statement that has been checked, planned and made ready to run.
class PreparedStatement {
 public:
  /// Every rank has all of every tensor.
  PreparedStatement(const StatementView& statement, planning::LocalPlan plan, kernels::Blocks blocks);
  /// The tensors are spread.
  PreparedStatement(const StatementView& statement, planning::DistributedPlan plan);

  const planning::LocalPlan& plan() const;
  /// Every rank has all of every tensor.
  bool is_whole() const { return whole_ != nullptr; }
  /// Elements of the buffers of the node that has most, as the search counted them.
  std::int64_t buffers() const;
  /// Of this rank, for as long as it is kept, run or not.
  std::int64_t bytes_kept() const;
  /// Of this rank, from the layouts that the plan was made for.
  Cost cost(const Options& options) const;
  void print(std::ostream& out) const;
  nlohmann::ordered_json json() const;
  /// Of the nodes in so many runs, and of the moves before the first.
  double seconds(int runs) const;
  /// Of this rank: tensors and buffers at their greatest, if the tensors are in these layouts before (by slot).
  std::int64_t bytes_needed(const std::vector<Layout>& before, const Options& options) const;
  /// Where a run leaves the tensor of a slot.
  const Layout& leaves(std::size_t slot) const { return slot == 0 ? left_ : wanted_[slot]; }
  /// All that can be known before a run, but for memory: the tensors are there, have the shapes of the plan, and those
  /// that the user has placed its layouts.
  void check_ready(const StatementView& statement) const;
  /// Tensors that are elsewhere are moved to where the plan wants them, and the output is left where the plan says.
  void run(const StatementView& statement, const Options& options, Report* report) const;

 private:
  /// Where the nodes want a tensor that is not there.
  std::optional<Layout> wanted_elsewhere(std::size_t slot, const TensorState& state) const;
  /// Whether a run would leave the output elsewhere than it is.
  bool is_left_elsewhere(const TensorState& output) const;
  /// What it takes to bring the tensors there from these layouts, by slot.
  exec::MovesNeed moves_from(const std::vector<Layout>& before) const;
  std::int64_t peak_of_nodes(const Options& options) const;
  /// Whether any tensor was moved.
  bool bring_tensors(const StatementView& statement, Report* report) const;
  std::optional<std::int64_t> room_for_buffers(const StatementView& statement, const Options& options) const;

  std::unique_ptr<const exec::Executable> whole_;              // every rank has all of every tensor
  std::unique_ptr<const exec::DistributedExecutable> spread_;  // or they are spread
  WorldState& world_;           // that of the output; it outlives plans, for it keeps them
  std::vector<bool> repeated_;  // [slot]: an earlier one has the same tensor
  std::vector<Layout> before_;  // [slot]: where the tensors were when it was planned
  std::vector<Layout> wanted_;  // [slot]: where the nodes want them
  Layout left_;                 // where the output is in the end
  exec::MovesNeed moves_;       // from where they were
};

/// How many threads a statement runs on: one where the caller's threads are at work already.
int thread_count(const Options& options);

}  // namespace ricci::detail
