#pragma once
// What arrays that are on disk already ask of the tiles of an operation that reads or writes them.
#include <set>

#include "compile/choose_tiles.hpp"
#include "program/program_plan.hpp"

namespace ricci::program {

/// How the arrays on disk lie when an operation is planned.
struct OnDisk {
  Tilings tilings;
  std::set<int> kept;            // those that must stay cut as they are: that there were before a loop
  double copies_of_outputs = 6;  // TileRules::copies_of_output of those that are read again
};

/// The largest array that a label stands in says how it is cut; an output that is kept, in any case.
compile::TileRules rules_for(const ProgramPlan& plan, const OnDisk& on_disk, const compile::Operation& operation);

/// The same, but only an output that is kept says so.
compile::TileRules rules_of_output(const ProgramPlan& plan, const OnDisk& on_disk, const compile::Operation& operation);

/// What boxes that are not read as they lie on disk take of one rank, beside themselves: the greatest.
double bytes_to_put_together(const ProgramPlan& plan, const OnDisk& on_disk,
                             const compile::BlockedOperation& operation);

}  // namespace ricci::program
