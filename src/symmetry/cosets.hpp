#pragma once
// Cosets of a symmetric group by a product of smaller ones.
#include <vector>

namespace ricci::symmetry {

struct SignedPermutation {
  std::vector<int> image;  // element i goes to image[i]
  int sign = 1;            // of the permutation
};

/// One representative for each coset of Sym(n) by the subgroup that permutes within blocks; block[i] is the block of
/// element i. The identity comes first. The representatives are increasing on every block.
std::vector<SignedPermutation> coset_representatives(const std::vector<int>& block);

/// How many there are.
double coset_count(const std::vector<int>& block);

}  // namespace ricci::symmetry
