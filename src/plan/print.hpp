#pragma once
// Parts of printed plans that the local and the distributed ones share.
#include <iosfwd>
#include <string>

#include "plan/local_plan.hpp"

namespace ricci::planning {

/// `12.3 GB`
std::string amount(double value, const char* unit);
void print_slots(std::ostream& out, const LocalPlan& plan);
void print_node(std::ostream& out, const LocalPlan& plan, int number);

}  // namespace ricci::planning
