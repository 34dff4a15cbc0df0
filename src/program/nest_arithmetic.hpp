#pragma once
// How long the products of a loop program take.
#include <ricci/machine.hpp>

#include "program/fused_nest.hpp"

namespace ricci::program {

/// Each product takes what its flops take; its operands are packed, which reads and writes them, and its result is read
/// and written, too.
double arithmetic_seconds(const fusion::LoopProgram& program, const NestBudget& budget, const MachineModel& machine);

}  // namespace ricci::program
