#pragma once
// From what was written to an executable: checks, the plan cache, and the run.
#include <memory>
#include <optional>

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

/// A statement that has been checked, planned and made ready to run.
class PreparedStatement {
 public:
  /// Where the output of a run on several ranks is afterwards, unless the user gave it a layout, in which it stays.
  enum class Output { left_where_made, stays };

  /// Checks and plans, without the cache. ResourceError where no plan fits into the memory limit. Collective where
  /// there is one.
  PreparedStatement(const StatementView& statement, const Options& options, Output after);

  const planning::LocalPlan& plan() const;
  /// Of this rank.
  Cost cost(const Options& options) const;
  void print(std::ostream& out) const;
  nlohmann::ordered_json json() const;
  /// All that can be known before a run: the tensors are there, have the shapes and layouts of the plan, and fit into
  /// the limit. Collective where there is a limit.
  void check_ready(const StatementView& statement, const Options& options) const;
  void run(const StatementView& statement, const Options& options, Report* report) const;

 private:
  void plan_spread(const planning::LocalPlan& local, const StatementView& statement, const Options& options,
                   Output after);
  std::optional<std::int64_t> room_for_buffers(const StatementView& statement, const Options& options) const;
  std::int64_t bytes_needed(const StatementView& statement, const Options& options) const;
  void check_memory(const StatementView& statement, const Options& options) const;

  std::unique_ptr<const exec::Executable> whole_;              // every rank has all of every tensor
  std::unique_ptr<const exec::DistributedExecutable> spread_;  // or they are spread
};

/// How many threads a statement runs on: one where the caller's threads are at work already.
int thread_count(const Options& options);

}  // namespace ricci::detail
