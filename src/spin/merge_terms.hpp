#pragma once
// Terms over blocks that are the same, added up.
#include <vector>

#include "spin/expand_term.hpp"

namespace ricci::spin {

/// The terms of one block's statement, those left out that the symmetries make zero, and one for all that are equal up
/// to the names of summed labels, the order of factors, the symmetries of factors, and the permutations of the target's
/// groups (which the statement sums over, with their signs).
std::vector<Term> merge_terms(const SpinTensors& spins, const Target& target, const Pattern& block,
                              const std::vector<Term>& terms);

}  // namespace ricci::spin
