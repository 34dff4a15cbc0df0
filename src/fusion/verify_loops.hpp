#pragma once
#include "fusion/loop_program.hpp"

namespace ricci::fusion {

/// InternalError where a loop program cannot be right:
/// - a buffer is used before it has been filled, or outside of the loops whose tiles it has;
/// - a contraction is inside of a loop that it does not run over (it would be repeated), or of two over one label;
/// - sums over a loop are not begun outside of it, or are written before they are complete and never read back;
/// - a block on disk is read before all of its array has been written.
void verify(const LoopProgram& program);

}  // namespace ricci::fusion
