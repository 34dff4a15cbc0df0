#pragma once
// Where the partial sums of a rank go, and which ones come to it.
#include <cstdint>
#include <map>

#include "plan/block_program.hpp"
#include "plan/tile_sets.hpp"

namespace ricci::planning {

/// Fills in program.partials_to, partials_from and partials_received. `begin`: where tiles that belong to others begin
/// in the rank's partial sums.
void add_partial_messages(const BlockContraction& contraction, TileSets& sets, int rank,
                          const std::map<std::int64_t, std::int64_t>& begin, BlockProgram& program);

}  // namespace ricci::planning
