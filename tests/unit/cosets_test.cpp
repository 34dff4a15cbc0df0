#include "symmetry/cosets.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace ricci::symmetry {
namespace {

using Permutation = std::vector<int>;

std::vector<Permutation> all_permutations(std::size_t size) {
  Permutation permutation(size);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::vector<Permutation> all;
  do {
    all.push_back(permutation);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return all;
}

int parity(const Permutation& permutation) {
  int sign = 1;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    for (std::size_t j = i + 1; j < permutation.size(); ++j) sign *= permutation[i] > permutation[j] ? -1 : 1;
  }
  return sign;
}

const std::vector<std::vector<int>> partitions = {{0},          {0, 0},          {0, 1},          {0, 0, 1},
                                                  {0, 1, 0},    {1, 0, 0},       {0, 1, 2},       {0, 0, 0},
                                                  {0, 0, 1, 1}, {0, 1, 1, 0},    {0, 1, 2, 3},    {7, 7, 7, 7},
                                                  {5, 5, 5, 9}, {0, 0, 1, 1, 1}, {3, 1, 3, 1, 2}, {0, 1, 2, 3, 4}};

TEST(Cosets, NumbersOfRepresentatives) {
  EXPECT_EQ(coset_representatives({0, 1}).size(), 2U);
  EXPECT_EQ(coset_representatives({0, 0}).size(), 1U);
  EXPECT_EQ(coset_representatives({0, 0, 1}).size(), 3U);
  EXPECT_EQ(coset_representatives({0, 1, 2}).size(), 6U);
  EXPECT_EQ(coset_representatives({0, 0, 1, 1}).size(), 6U);
  EXPECT_EQ(coset_representatives({0, 0, 1, 1, 1}).size(), 10U);
  EXPECT_EQ(coset_representatives({}).size(), 1U) << "of nothing there is the identity";
}

TEST(Cosets, TheIdentityComesFirst) {
  for (const auto& block : partitions) {
    const auto representatives = coset_representatives(block);
    Permutation identity(block.size());
    std::iota(identity.begin(), identity.end(), 0);
    ASSERT_FALSE(representatives.empty());
    EXPECT_EQ(representatives[0].image, identity);
    EXPECT_EQ(representatives[0].sign, 1);
  }
}

TEST(Cosets, SignsAreThoseOfThePermutations) {
  for (const auto& block : partitions) {
    for (const SignedPermutation& representative : coset_representatives(block)) {
      EXPECT_EQ(representative.sign, parity(representative.image));
    }
  }
}

// Every permutation is g·h in exactly one way, g a representative and h within the blocks.
TEST(Cosets, CoverTheGroupOnce) {
  for (const auto& block : partitions) {
    const auto everything = all_permutations(block.size());
    std::multiset<Permutation> reached;
    for (const SignedPermutation& g : coset_representatives(block)) {
      for (const Permutation& h : everything) {
        bool within_blocks = true;
        for (std::size_t i = 0; i < h.size(); ++i) within_blocks = within_blocks && block[h[i]] == block[i];
        if (!within_blocks) continue;
        Permutation product(h.size());
        for (std::size_t i = 0; i < h.size(); ++i) product[i] = g.image[h[i]];
        reached.insert(product);
      }
    }
    EXPECT_EQ(reached, std::multiset<Permutation>(everything.begin(), everything.end()));
  }
}

}  // namespace
}  // namespace ricci::symmetry
