#pragma once
// Index tuples found the slow way, to hold the closed formulas against.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace ricci {

using Tuple = std::vector<std::int64_t>;

/// Every tuple of `degree` indices below `extent`, the last index running fastest.
inline std::vector<Tuple> all_tuples(std::int64_t extent, int degree) {
  std::vector<Tuple> tuples{{}};
  for (int k = 0; k < degree; ++k) {
    std::vector<Tuple> longer;
    for (const Tuple& tuple : tuples) {
      for (std::int64_t i = 0; i < extent; ++i) {
        longer.push_back(tuple);
        longer.back().push_back(i);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

inline bool is_sorted_tuple(const Tuple& tuple, bool strict) {
  for (std::size_t k = 1; k < tuple.size(); ++k) {
    if (tuple[k] < tuple[k - 1] || (strict && tuple[k] == tuple[k - 1])) return false;
  }
  return true;
}

/// The last index decides first.
inline bool before_colexicographically(const Tuple& a, const Tuple& b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

/// The sorted tuples in the order in which a group is stored.
inline std::vector<Tuple> sorted_tuples(bool strict, std::int64_t extent, int degree) {
  std::vector<Tuple> sorted;
  for (Tuple& tuple : all_tuples(extent, degree)) {
    if (is_sorted_tuple(tuple, strict)) sorted.push_back(std::move(tuple));
  }
  std::sort(sorted.begin(), sorted.end(), before_colexicographically);
  return sorted;
}

/// (-1)^inversions, or 0 where two are equal.
inline int sign_by_inversions(const Tuple& tuple) {
  int sign = 1;
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    for (std::size_t j = i + 1; j < tuple.size(); ++j) {
      if (tuple[i] == tuple[j]) return 0;
      if (tuple[i] > tuple[j]) sign = -sign;
    }
  }
  return sign;
}

}  // namespace ricci
