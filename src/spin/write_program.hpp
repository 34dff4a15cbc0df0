#pragma once
// The program over blocks as a tree.
#include "notation/syntax.hpp"
#include "spin/find_blocks.hpp"
#include "spin/spin_names.hpp"

namespace ricci::spin {

/// `tree`: of the program over spin orbitals, whose comments are kept.
notation::syntax::Program write_program(const notation::syntax::Program& tree, const SpinTensors& spins,
                                        const Blocks& blocks, SpinNames& names);

}  // namespace ricci::spin
