#pragma once
// Indexset sequences: loops ranked by scope, widest first (seed 003, section 3, and its references 7 and 8). The same
// type is the fusion of an edge and the nesting at a node.
#include <string>
#include <vector>

#include "fusion/expression_tree.hpp"

namespace ricci::fusion {

/// Disjoint, non-empty sets of loops; loops of one set have the same scope. Loops in none of them come last, together.
struct IndexsetSequence {
  std::vector<LabelSet> sets;

  LabelSet set() const;
  /// Of the set that has the loop; the number of sets where none has it.
  int rank(int label) const;
  bool operator==(const IndexsetSequence&) const = default;
};

/// Scopes of loops that meet at a node contain one another: no two loops may be ranked in opposite order.
bool compatible(const IndexsetSequence& a, const IndexsetSequence& b);

/// The nesting at a node where both meet: loops with the same rank in both keep one rank. They must be compatible.
IndexsetSequence merged(const IndexsetSequence& a, const IndexsetSequence& b);

/// The fusion of an edge to the parent by the loops in `set`, below a nesting. Legal where no loop outside of `set` has
/// a wider scope than one of it.
bool may_fuse(const IndexsetSequence& nesting, LabelSet set);
IndexsetSequence restricted(const IndexsetSequence& nesting, LabelSet set);

/// a ⊑ b: whatever fits the rest of a tree to `a` fits it to `b`. That is so if every pair that `b` ranks, `a` ranks
/// the same way.
bool more_constraining(const IndexsetSequence& a, const IndexsetSequence& b);

/// "<k,jl>"; names of several letters are put apart: "<k1 k2,j>".
std::string to_string(const Forest& forest, const IndexsetSequence& sequence);

}  // namespace ricci::fusion
