#pragma once
// Factorisation: A·B + A·C = A·(B + C), where it saves flops.
#include "compile/formula.hpp"

namespace ricci::compile {

/// In every sum, pairs of terms that share a factor (under renamed labels, and in any order of symmetric ones) are
/// joined, those that save most first, until none saves anything. A join must leave the symmetry that a term has by
/// itself (H of semantics.md) as it is, or an assignment to a symmetric tensor would add other cosets.
Formula factorise(const Formula& formula);

}  // namespace ricci::compile
