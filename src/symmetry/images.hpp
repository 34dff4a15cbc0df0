#pragma once
// The elements of an unpacked tensor that equal one of its unique elements up to sign.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "symmetry/packed.hpp"
#include "symmetry/shape.hpp"

namespace ricci::symmetry {

/// Calls f(index, sign) for each of them, once; `sorted` is the index of the unique one.
template <class F>
void for_each_image(const Shape& shape, std::span<const std::int64_t> sorted, F f) {
  std::vector<std::int64_t> index(sorted.begin(), sorted.end());
  std::vector<std::vector<std::int64_t>> tuples;  // of each group
  std::vector<const StorageDim*> groups;
  for (const StorageDim& dim : shape.dims()) {
    if (!dim.grouped()) continue;
    groups.push_back(&dim);
    auto& tuple = tuples.emplace_back();
    for (int mode : dim.modes) tuple.push_back(sorted[mode]);
  }
  for (;;) {
    int sign = 1;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t k = 0; k < tuples[g].size(); ++k) index[groups[g]->modes[k]] = tuples[g][k];
      if (groups[g]->kind != SymmetryKind::antisymmetric) continue;
      std::vector<std::int64_t> copy = tuples[g];
      sign *= sort_with_sign(copy.data(), static_cast<int>(copy.size()));
    }
    f(std::span<const std::int64_t>(index), sign);
    std::size_t g = 0;
    while (g < groups.size() && !std::next_permutation(tuples[g].begin(), tuples[g].end())) ++g;
    if (g == groups.size()) return;
  }
}

}  // namespace ricci::symmetry
