#pragma once
// The order of binary contractions for a product of several factors.
#include <cstdint>
#include <vector>

namespace ricci::planning {

/// A factor (or the output) as a set of labels, bit l for label l.
using LabelSet = std::uint64_t;

struct Merge {
  int left, right;  // factors 0..n-1, or n + the number of an earlier merge
};

struct ContractionOrder {
  std::vector<Merge> merges;
  double multiply_adds = 0;  // of the unpacked index spaces
};

/// Least multiply-adds, then least size of intermediates: exact (dynamic programming over subsets) up to
/// `exact_limit` factors, greedy beyond. No factor may have a label of its own (in no other factor and not in the
/// output): those are summed over first.
ContractionOrder best_order(const std::vector<LabelSet>& factors, LabelSet output,
                            const std::vector<std::int64_t>& extents, int exact_limit = 10);

}  // namespace ricci::planning
