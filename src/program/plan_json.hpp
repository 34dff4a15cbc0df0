#pragma once
// A planned program for other programs; docs/guide.md has the fields.
#include <string>

#include "program/program_plan.hpp"

namespace ricci::program {

std::string to_json(const ProgramPlan& plan);

}  // namespace ricci::program
