#pragma once
// The symmetry side of the oracle: canonical elements, and the cosets that an assignment sums over.
#include <cstdint>
#include <vector>

#include "statement.hpp"

namespace ricci_test {

/// A permutation of the output's modes: mode m of the term goes to position[m]; the sign is the character's.
struct SignedPermutation {
  std::vector<int> position;
  int sign = 1;
};

/// One permutation for each coset of G/H: G the output's group, H what the term already has of it.
std::vector<SignedPermutation> cosets(const Statement& statement, const Term& term);

/// Whether exchanging the labels at two modes of one output group is in H. A label that stands more than once in the
/// output is not exchanged: moving one of its positions is not an exchange of labels.
bool term_has_exchange(const Statement& statement, const Term& term, const Group& group, int mode_x, int mode_y);

/// The element of a tensor with this shape at an index: where it is stored (the sorted index), and the sign that
/// reading it there takes; sign 0 where the symmetry makes it zero.
struct Canonical {
  std::vector<std::int64_t> index;
  int sign = 1;
};
Canonical canonical(const TensorShape& shape, std::vector<std::int64_t> index);

}  // namespace ricci_test
