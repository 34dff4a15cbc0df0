#pragma once
#include "program/program_plan.hpp"

namespace ricci::program {

/// Outputs on disk that one operation writes, once and block by block, and none reads: their blocks go to the outputs'
/// files at once (DirectOutput).
std::set<int> direct_outputs(const ProgramPlan& plan);

}  // namespace ricci::program
