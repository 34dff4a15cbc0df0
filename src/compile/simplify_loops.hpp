#pragma once
#include "compile/loop_program.hpp"

namespace ricci::compile {

/// Takes away loops that turn once, with what depends on them. Traffic stays as it is, and no more memory is in use.
void simplify(LoopProgram& program);

}  // namespace ricci::compile
