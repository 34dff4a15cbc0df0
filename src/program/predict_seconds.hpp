#pragma once
// How long a program will take on a machine, about: what the disk takes beside what the processor takes.
#include <ricci/machine.hpp>

#include "program/program_plan.hpp"
#include "program/statement_seconds.hpp"

namespace ricci::program {

/// What calls for blocks take by themselves, of the whole program: no more than predict_seconds, and known at once.
double seconds_of_calls(const ProgramPlan& plan);

/// Of the whole program: inputs, operations as often as they are thought to run, outputs. Disk and arithmetic go on at
/// the same time. Each operation is told its own. `statements` remembers what plans of the same program have in common.
double predict_seconds(ProgramPlan& plan, const MachineModel& machine, StatementSeconds& statements);

/// Of one operation without its body, all the times that it is run.
double predict_seconds(const ProgramPlan& plan, const PlannedOperation& planned, const MachineModel& machine,
                       StatementSeconds& statements, double times = 1);

}  // namespace ricci::program
