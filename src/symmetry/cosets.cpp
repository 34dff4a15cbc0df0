#include "symmetry/cosets.hpp"

#include <algorithm>
#include <map>

namespace ricci::symmetry {

namespace {

int parity_sign(const std::vector<int>& image) {
  int sign = 1;
  for (std::size_t i = 0; i < image.size(); ++i) {
    for (std::size_t j = i + 1; j < image.size(); ++j) {
      if (image[i] > image[j]) sign = -sign;
    }
  }
  return sign;
}

}  // namespace

std::vector<SignedPermutation> coset_representatives(const std::vector<int>& block) {
  // A coset is a way to deal out the n places to the blocks; a block's elements take its places in order.
  std::vector<int> owner = block;
  std::vector<SignedPermutation> representatives;
  do {
    std::vector<int> image(block.size());
    std::map<int, std::size_t> from;  // for each block: the first place not yet looked at
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::size_t& place = from[block[i]];
      while (owner[place] != block[i]) ++place;
      image[i] = static_cast<int>(place++);
    }
    const int sign = parity_sign(image);
    representatives.push_back({std::move(image), sign});
    std::next_permutation(owner.begin(), owner.end());  // starts over after the last
  } while (owner != block);
  return representatives;
}

double coset_count(const std::vector<int>& block) {
  double count = 1;
  std::map<int, int> seen;
  for (std::size_t i = 0; i < block.size(); ++i) count = count * static_cast<double>(i + 1) / ++seen[block[i]];
  return count;
}

}  // namespace ricci::symmetry
