#pragma once
// From what was written to an executable: checks, the plan cache, and the run.
#include <memory>

#include <ricci/expression.hpp>
#include <ricci/options.hpp>
#include <ricci/plan.hpp>

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

/// Checks and plans, without the cache.
std::shared_ptr<const exec::Executable> prepare(const StatementView& statement, const Options& options);

/// How many threads a statement runs on: one where the caller's threads are at work already.
int thread_count(const Options& options);

/// ResourceError where the statement's tensors and what the plan adds to them exceed the limit.
void check_memory(const exec::Executable& executable, const StatementView& statement, const Options& options);

/// All that can be known before a run: the tensors are there, have the shapes of the plan, and fit into the limit.
void check_ready(const exec::Executable& executable, const StatementView& statement, const Options& options);

void run_prepared(const exec::Executable& executable, const StatementView& statement, const Options& options,
                  Report* report);

}  // namespace ricci::detail
