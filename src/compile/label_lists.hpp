#pragma once
// Labels in a row.
#include <algorithm>
#include <vector>

namespace ricci::compile {

inline bool contains(const std::vector<int>& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// Each once, in the order of their first appearance.
inline std::vector<int> distinct(const std::vector<int>& labels) {
  std::vector<int> result;
  for (int label : labels) {
    if (!contains(result, label)) result.push_back(label);
  }
  return result;
}

}  // namespace ricci::compile
