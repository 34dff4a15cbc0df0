#pragma once
#include <numeric>
#include <vector>

#include "plan/spread.hpp"

namespace ricci::planning {

/// Labels that stand in one group of some tensor are cut alike.
class LabelClasses {
 public:
  explicit LabelClasses(const SpreadProblem& problem) : parent_(problem.extents.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const PlacedTensor* tensor : {&problem.c, &problem.a, &problem.b}) {
      if (!tensor->shape) continue;
      for (const symmetry::StorageDim& dim : tensor->shape->dims()) {
        for (int mode : dim.modes) join(tensor->labels[dim.modes[0]], tensor->labels[mode]);
      }
    }
  }
  int find(int label) const {
    while (parent_[label] != label) label = parent_[label];
    return label;
  }

 private:
  void join(int x, int y) {
    const int a = find(x), b = find(y);
    parent_[b] = a;
  }
  std::vector<int> parent_;
};

}  // namespace ricci::planning
