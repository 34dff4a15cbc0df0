#include "plan/longest_labels.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

void deal_left_over(std::vector<std::vector<int>>& mapping, std::vector<double> lengths, const std::vector<int>& grid,
                    double shortest) {
  std::vector<bool> taken(grid.size(), false);
  for (std::size_t label = 0; label < mapping.size(); ++label) {
    for (int dim : mapping[label]) taken[dim] = true, lengths[label] /= grid[dim];
  }
  std::vector<int> left, extents;  // dimensions
  for (std::size_t dim = 0; dim < grid.size(); ++dim) {
    if (!taken[dim] && grid[dim] > 1) left.push_back(static_cast<int>(dim)), extents.push_back(grid[dim]);
  }
  const std::vector<int> labels = deal_to_longest(std::move(lengths), extents, shortest);
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (labels[k] >= 0) mapping[labels[k]].push_back(left[k]);
  }
}

}  // namespace ricci::planning
