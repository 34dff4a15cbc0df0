#pragma once
// What a way to deal out the ranks to the labels costs, from sizes alone: quick, and hardly ever too high.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <ricci/machine.hpp>

#include "plan/label_classes.hpp"
#include "plan/spread.hpp"

namespace ricci::planning {

/// The labels of the contraction, in increasing order.
std::vector<int> labels_of(const SpreadProblem& problem);

/// How much longer products take for blocks of these sides. Measured: 16 rows, or a sum of 32, take about a quarter
/// longer than many.
double slowdown_of_blocks(double rows, double columns, double summed);
constexpr double seconds_of_block = 2e-6;  // to start a product of tiles

/// Partial sums are spread over the output's labels, but not into shorter parts than these: blocks that are cut as
/// finely take longer than the sums of a few elements.
constexpr double shortest_of_output = 4;
/// The grid dimensions of a summed label that so many ranks share: two where that is possible, so that its sums can be
/// spread over two labels of the output and stay compact.
std::vector<int> dimensions_of_sum(int parts);

/// How many times as many tiles as parts sorted tuples of so many labels need, so that everybody gets about the same.
int tiles_of_a_part(int degree);

/// Refers to the problem and the machine.
class SpreadEstimate {
 public:
  SpreadEstimate(const SpreadProblem& problem, const MachineModel& machine);

  /// Of work and traffic. `slowdown`: of the products; `touched`: elements of operands that take part.
  struct Amounts {
    double products = 0, slowdown = 1, blocks = 0, touched = 0, words = 0, messages = 0;
  };
  double seconds(const Amounts& amounts) const;

  /// `parts`: of each of labels_of().
  void set_parts(const std::vector<int>& parts);
  int parts_of(int label) const { return parts_of_[label]; }
  /// What a rank computes, what it needs of each operand beyond what it has, and the partial sums, if everything is
  /// where it is best.
  double seconds() const { return seconds_of(sums_stay_together() ? Sums::together : Sums::spread); }
  /// Whether it is better to leave the sums of several ranks on one of them than to share them out, which may cut the
  /// output's labels more finely than is good for the blocks.
  bool sums_stay_together() const;
  /// Elements of the operands that a rank needs and has, about: of the rank that has the least. `order`: the labels
  /// (their places in labels_of()) as the grid has them.
  double kept_in_place(const std::vector<std::size_t>& order) const;

 private:
  /// The ranks that share a tensor out between them: all but those with copies.
  double ways_of(const PlacedTensor& tensor) const;
  double in_place(const PlacedTensor& tensor) const;
  /// Elements that one reading of the tensor needs.
  double box_of(const PlacedTensor& tensor) const;
  enum class Sums { spread, together };
  double seconds_of(Sums sums) const;
  /// Products, and blocks in as few tiles as will do.
  Amounts work(Sums sums) const;
  /// Grid dimensions of summed labels go to the longest labels of the output: raises the tiles, by class, that it
  /// needs.
  /// The length of its shortest part.
  double cut_output(std::vector<double>& tiles) const;
  double summed_parts() const;
  double common_part(const PlacedTensor& tensor, int rank, const std::vector<double>& at) const;

  const SpreadProblem& problem_;
  const MachineModel& machine_;
  double bandwidth_;  // bytes a second into a rank
  std::vector<int> labels_;
  LabelClasses classes_;
  std::vector<int> parts_of_;  // [label of the statement]
};

}  // namespace ricci::planning
