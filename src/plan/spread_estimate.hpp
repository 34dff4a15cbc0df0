#pragma once
// What a way to deal out the ranks to the labels costs, from sizes alone: quick, and hardly ever too high.
#include <cstddef>
#include <vector>

#include <ricci/machine.hpp>

#include "plan/spread.hpp"

namespace ricci::planning {

/// The labels of the contraction, in increasing order.
std::vector<int> labels_of(const SpreadProblem& problem);

/// How many times as many tiles as parts sorted tuples of so many labels need, so that everybody gets about the same.
int tiles_of_a_part(int degree);

/// Refers to the problem and the machine.
class SpreadEstimate {
 public:
  SpreadEstimate(const SpreadProblem& problem, const MachineModel& machine);

  /// Of work and traffic.
  double seconds(double products, double words, double messages) const;

  /// `parts`: of each of labels_of().
  void set_parts(const std::vector<int>& parts);
  int parts_of(int label) const { return parts_of_[label]; }
  /// What a rank computes, what it needs of each operand beyond what it has, and the partial sums, if everything is
  /// where it is best.
  double seconds() const;
  /// Elements of the operands that a rank needs and has, about: of the rank that has the least. `order`: the labels
  /// (their places in labels_of()) as the grid has them.
  double kept_in_place(const std::vector<std::size_t>& order) const;

 private:
  /// The ranks that share a tensor out between them: all but those with copies.
  double ways_of(const PlacedTensor& tensor) const;
  double in_place(const PlacedTensor& tensor) const;
  double common_part(const PlacedTensor& tensor, int rank, const std::vector<double>& at) const;

  const SpreadProblem& problem_;
  const MachineModel& machine_;
  std::vector<int> labels_;
  std::vector<int> parts_of_;  // [label of the statement]
};

}  // namespace ricci::planning
