#include "plan/longest_labels.hpp"

#include <algorithm>
#include <numeric>

namespace ricci::planning {

std::vector<int> deal_to_longest(std::vector<double> lengths, const std::vector<int>& dimensions, double shortest) {
  std::vector<int> labels(dimensions.size(), -1);
  if (lengths.empty()) return labels;
  std::vector<std::size_t> order(dimensions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return dimensions[x] > dimensions[y]; });
  for (std::size_t dim : order) {
    const auto longest = std::max_element(lengths.begin(), lengths.end());
    if (*longest < dimensions[dim] * shortest) continue;
    labels[dim] = static_cast<int>(longest - lengths.begin());
    *longest /= dimensions[dim];
  }
  return labels;
}

}  // namespace ricci::planning
