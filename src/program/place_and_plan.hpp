#pragma once
// A program planned for one limit of memory: where arrays are, and how each operation is done.
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <ricci/machine.hpp>

#include "program/program_plan.hpp"
#include "program/statement_seconds.hpp"

namespace ricci::program {

/// How the memory is dealt out.
struct Thrift {
  double copies = 1;  // so many times more room that arrays on disk leave to operations that read them later on
  double share = 1;   // of the limit, for the arrays that stay in memory and for blocks
  double enough = std::numeric_limits<double>::infinity();  // a plan that takes as many seconds is of no use
  bool gives_up = false;                                    // as soon as something does not fit: needed() is not wanted
};

struct Attempt {
  std::unique_ptr<const ProgramPlan> plan;  // nothing where it needs more than the limit, or too long
  std::int64_t needed = 0;                  // then: a limit that will do
};

/// `lowered`: a plan that has its operations, and nothing else. 0: no limit.
Attempt place_and_plan(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t memory_limit,
                       const Thrift& thrift, StatementSeconds& statements);
/// Whether there is such a plan, however long it takes: its time, which takes longest to predict, is not looked at.
bool fits(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t memory_limit, const Thrift& thrift,
          StatementSeconds& statements);

/// Of the formula's arrays: those that are tensors of the program with this role.
std::vector<bool> arrays_of_role(const ProgramPlan& plan, const compile::Formula& formula, notation::Role role);

}  // namespace ricci::program
