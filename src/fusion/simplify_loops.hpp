#pragma once
#include "fusion/loop_program.hpp"

namespace ricci::fusion {

/// Takes away loops that turn once, with what depends on them. Traffic stays as it is, and no more memory is in use.
void simplify(LoopProgram& program);

}  // namespace ricci::fusion
