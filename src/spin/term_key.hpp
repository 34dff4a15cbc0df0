#pragma once
// A term over blocks without its names: the same for all terms that are equal.
#include <vector>

#include "spin/expand_term.hpp"

namespace ricci::spin {

using TermKey = std::vector<int>;

/// The least of all ways to write the term down: under other names of summed labels, with factors in another order,
/// with labels moved within the symmetries of factors, and with those of the target permuted within its groups, which
/// the statement sums over. `sign`: the term is so many times the one written that way; 0 where it is minus itself, and
/// so zero.
TermKey term_key(const SpinTensors& spins, const Target& target, const Pattern& block, const Term& term, int& sign);

}  // namespace ricci::spin
