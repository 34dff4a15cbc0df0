#include "compile/spellings.hpp"

#include <algorithm>
#include <numeric>

namespace ricci::compile {

namespace {

int permutation_sign(const std::vector<int>& permutation) {
  int sign = 1;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    for (std::size_t j = i + 1; j < permutation.size(); ++j) sign = permutation[i] > permutation[j] ? -sign : sign;
  }
  return sign;
}

}  // namespace

std::vector<Spelling> spellings(const std::vector<int>& labels, const symmetry::Shape& shape) {
  std::vector<Spelling> all{{labels, 1}};
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    std::vector<Spelling> more;
    std::vector<int> permutation(group.modes.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    do {
      const int sign = group.kind == SymmetryKind::antisymmetric ? permutation_sign(permutation) : 1;
      for (const Spelling& before : all) {
        Spelling spelling = before;
        for (std::size_t m = 0; m < permutation.size(); ++m)
          spelling.labels[group.modes[m]] = before.labels[group.modes[permutation[m]]];
        spelling.sign *= sign;
        more.push_back(std::move(spelling));
      }
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    all = std::move(more);
  }
  return all;
}

double spelling_count(const symmetry::Shape& shape) {
  double count = 1;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    for (std::size_t n = 2; n <= group.modes.size(); ++n) count *= static_cast<double>(n);
  }
  return count;
}

}  // namespace ricci::compile
