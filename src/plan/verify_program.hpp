#pragma once
#include "plan/block_program.hpp"
#include "plan/packed_phases.hpp"

namespace ricci::planning {

/// InternalError where the program of a rank contradicts itself or the contraction: places outside of their buffers,
/// statements that do not exist or do not fit their shapes, sums that are added to or read before they are begun,
/// results that are cleared or overwritten twice or never, messages that go to oneself, or whose elements are not
/// there.
void verify(const BlockProgram& program, const BlockContraction& contraction, int rank);
void verify(const PackedProgram& packed, const BlockContraction& contraction, int rank);

}  // namespace ricci::planning
