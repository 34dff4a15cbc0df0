#pragma once
// Which blocks a program's tensors have, and what each statement becomes on them.
#include <map>
#include <vector>

#include "spin/expand_term.hpp"

namespace ricci::spin {

/// What an assignment is on one block of its tensor; the scalar of a print or condition has no block.
struct BlockStatement {
  Pattern block;
  std::vector<Term> terms;
};

struct Blocks {
  /// Those that each tensor has: those that can be other than zero and are wanted.
  BlockSets of_tensor;
  /// Of each assignment: for all blocks that its tensor has, in order. Of a print or condition: one.
  std::map<const notation::ProgramStatement*, std::vector<BlockStatement>> statements;
};

/// Reports outputs that would get elements in blocks that they do not have, divisors without the block that is wanted,
/// and scalars that cannot be said by blocks. InputError where options.patterns does not fit.
Blocks find_blocks(const SpinTensors& spins, const SpinOptions& options, notation::Diagnostics& diagnostics);

/// Whether a norm of a tensor with spin stands in a scalar: the scalar is then squared.
bool has_split_norm(const SpinTensors& spins, const std::vector<Term>& terms);

}  // namespace ricci::spin
