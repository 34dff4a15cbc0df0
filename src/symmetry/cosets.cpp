#include "symmetry/cosets.hpp"

#include <algorithm>
#include <numeric>

namespace ricci::symmetry {

namespace {

bool increases_on_blocks(const std::vector<int>& image, const std::vector<int>& block) {
  for (std::size_t i = 0; i < image.size(); ++i) {
    for (std::size_t j = i + 1; j < image.size(); ++j) {
      if (block[i] == block[j] && image[i] > image[j]) return false;
    }
  }
  return true;
}

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
  std::vector<int> image(block.size());
  std::iota(image.begin(), image.end(), 0);
  std::vector<SignedPermutation> representatives;
  do {
    if (increases_on_blocks(image, block)) representatives.push_back({image, parity_sign(image)});
  } while (std::next_permutation(image.begin(), image.end()));
  return representatives;
}

}  // namespace ricci::symmetry
