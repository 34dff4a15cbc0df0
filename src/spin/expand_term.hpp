#pragma once
// One term over spin orbitals as terms over blocks.
#include <set>
#include <vector>

#include "spin/spin_tensors.hpp"

namespace ricci::spin {

/// What a statement sets, under which labels; a scalar that is printed or compared has no tensor.
struct Target {
  int tensor = -1;
  std::vector<int> labels = {};
};

/// The blocks of each tensor that can be other than zero; all in canonical order.
using BlockSets = std::vector<std::set<Pattern>>;

/// What a term adds to a block of its target. With G the permutations of the target's groups and H those that the term
/// has already, the language adds Σ over G/H of χ(g) X∘g. On a block, G leaves its subgroup G' that keeps the spins,
/// and the double cosets G'\G/H are the ways to give the target's spins to the labels of X, those alike in H taken
/// together. Each way is one term here: the statement of the block adds the other cosets by itself, since the block's
/// term keeps exactly the exchanges of H between labels of one spin. Labels that are summed over take both spins.
std::vector<Term> expand_term(const SpinTensors& spins, const Target& target, const Term& term, const Pattern& block,
                              const BlockSets& nonzero);

/// Whether exchanging two labels of a group of this kind leaves the product up to the group's sign: every factor that
/// has one of them has both, once each, in one group of its own (semantics.md).
bool has_exchange(const SpinTensors& spins, const std::vector<Factor>& factors, SymmetryKind kind, int x, int y);

}  // namespace ricci::spin
