#pragma once
// How long a program will take on a machine, about: what the disk takes beside what the processor takes.
#include <ricci/machine.hpp>

#include "program/program_plan.hpp"

namespace ricci::program {

/// Of one rank, for all that an operation does when it is run once, without its body. Disk and arithmetic go on at the
/// same time.
double predict_seconds(const ProgramPlan& plan, const PlannedOperation& planned, const MachineModel& machine);

/// What calls for blocks take by themselves, of the whole program: no more than predict_seconds, and known at once.
double seconds_of_calls(const ProgramPlan& plan);

/// Of the whole program: inputs, operations as often as they are thought to run, outputs.
double predict_seconds(const ProgramPlan& plan, const MachineModel& machine);

}  // namespace ricci::program
