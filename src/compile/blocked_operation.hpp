#pragma once
// An operation done block by block, because its arrays do not fit in memory together: the loops as data.
//
//   for each canonical block of the output:
//     clear it, or read it where it is added to
//     for each term, for each tile of its summed labels:
//       read the blocks of its factors that are not there yet; multiply; add
//     write it
//
// Every block of the output is written once, and partial sums never are.
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "compile/block_catalog.hpp"
#include "compile/formula.hpp"

namespace ricci::compile {

/// A term under one coset of the output's symmetry: its factors' labels are those of the output's canonical block.
struct BlockedTerm {
  Product product;          // at most two factors
  std::vector<int> summed;  // labels that are not in the output, outermost loop first
  /// Groups of summed labels in which the whole term is symmetric: only tiles that ascend are run, and count as often
  /// as there are orders of them.
  std::vector<std::vector<int>> sorted;
};

struct BlockedOperation {
  Operand out;
  bool overwrite = true;
  std::vector<int> loops;          // labels of the output, outermost first
  std::vector<std::int64_t> tile;  // [label]: size; its extent where it is not cut
  std::vector<BlockedTerm> terms;
  bool reads_ahead = true;  // there is room for the blocks of the next product
};

/// The labels that have to be cut alike: they stand together in a symmetry group. [label]: the first of its class, or
/// -1 for labels that the operation has not. A class that must not be cut at all is in `whole`.
struct LabelClasses {
  std::vector<int> first;
  std::vector<bool> whole;  // by first label
};
LabelClasses label_classes(const Formula& formula, const Operation& operation);

/// With these tiles. The operation is a sum of terms of at most two factors. Symmetry groups of the output that are cut
/// are multiplied out into cosets (semantics.md); the others are left to the operations on blocks.
BlockedOperation blocked(const Formula& formula, const Operation& operation, const std::vector<std::int64_t>& tile);

/// A place in the loops.
struct BlockStep {
  enum class Kind { begin, multiply, end } kind = Kind::begin;
  std::vector<std::int64_t> tiles;  // [label]: where its loop stands
  int term = -1;                    // of multiply
  double weight = 1;                // how often this product counts
};

/// The steps in order.
class BlockWalk {
 public:
  BlockWalk(const Formula& formula, const BlockedOperation& operation);
  /// False at the end.
  bool next(BlockStep& step);

 private:
  bool next_output();
  bool first_sum();
  bool next_sum();
  bool is_canonical() const;
  double weight() const;

  const Formula* formula_;
  const BlockedOperation* operation_;
  std::vector<std::int64_t> counts_;  // [label]: tiles
  BlockStep at_;
  bool begun_ = false;
};

/// The box of an operand at a step.
Box box_of(const Formula& formula, const BlockedOperation& operation, const Operand& operand,
           const std::vector<std::int64_t>& tiles);

/// `FOR iT(3 x 4000), jT(3 x 4000)` …: as it is run.
void print(std::ostream& out, const Formula& formula, const BlockedOperation& operation);

}  // namespace ricci::compile
