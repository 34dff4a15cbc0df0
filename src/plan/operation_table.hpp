#pragma once
// Statements on tiles, each kind once.
#include <vector>

#include "plan/block_program.hpp"

namespace ricci::planning {

/// A small tensor under labels of the statement.
struct LabelledTile {
  symmetry::Shape shape;
  std::vector<int> labels;
};

class OperationTable {
 public:
  /// Adds to `operations`, which must outlive it.
  explicit OperationTable(std::vector<LocalOperation>& operations) : operations_(operations) {}

  /// Its number, or -1 where the symmetries make it vanish. `labels`: of the statement.
  int find(const LabelledTile& out, const LabelledTile& a, const LabelledTile* b, std::size_t labels);

 private:
  std::vector<LocalOperation>& operations_;
  std::vector<bool> vanishes_;
};

}  // namespace ricci::planning
