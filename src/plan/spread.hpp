#pragma once
// How a contraction is spread over ranks: the parts that each label is cut into, who computes which block, and the
// layouts in which the tensors take part.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ricci/layout.hpp>
#include <ricci/machine.hpp>
#include <ricci/options.hpp>

#include "plan/block_program.hpp"
#include "symmetry/fold.hpp"

namespace ricci::planning {

/// A tensor of the contraction, and where it is. An output without a layout is nowhere yet; an operand without one is
/// going to be where it is best.
struct PlacedTensor {
  std::shared_ptr<const symmetry::Shape> shape;  // null: it is not there
  std::vector<int> labels;
  std::optional<Layout> layout;
  bool stays = true;  // an output that has to go back to its layout; else it may be left where it was made
};

struct SpreadProblem {
  symmetry::Fold fold;
  PlacedTensor c, a, b;
  std::vector<std::int64_t> extents;  // of each label of the statement
  bool accumulate = true;             // C's elements are needed
  int ranks = 1;
  std::size_t element_size = 8;
  double flops_per_product = 2;
};

/// A way that lost.
struct Rival {
  Layout blocks;
  std::string name;
  std::int64_t words = 0;
  double seconds = 0;
};

/// One way to do it.
struct Spread {
  std::vector<int> labels;  // of the contraction
  Layout blocks;            // one word a label, with its tiles
  Layout c;                 // in which the output is made
  Layout a, b;              // where the operands are: where they were, or where those without a layout are best
  int phases = 1;
  Relay fetch[2] = {};                   // of A and B
  Relay::Way sums = Relay::Way::direct;  // of partial sums
  bool lean = false;                     // short messages, and kernels that copy little at a time

  std::int64_t words = 0;     // that the rank which receives most receives, redistribution included
  std::int64_t messages = 0;  // that it sends
  double products = 0;        // of the rank that has most to do
  std::int64_t buffers = 0;   // elements that its buffers hold at a time, about
  double seconds = 0;
  double local = 0;  // of these, what the slowest rank takes by itself
  struct {
    std::int64_t buffers = 0;
    double seconds = 0;
  } if_lean;                  // the same if it were lean
  double before = 0;          // seconds of unpacking operands for it (desymmetrise.hpp); 0: none is
  std::vector<Rival> rivals;  // the best of the others; their seconds are all that they take
};

/// Ways that have been counted, by problem: where less and less memory is tried they come again and again.
class KnownSpreads {
 public:
  template <class F>
  const std::vector<Spread>& find_or_make(const SpreadProblem& problem, F make) {
    const auto [entry, is_new] = known_.try_emplace(text_of(problem));
    if (is_new) entry->second = make();
    return entry->second;
  }

 private:
  static std::string text_of(const SpreadProblem& problem);
  std::map<std::string, std::vector<Spread>> known_;
};

/// What to look for.
struct SpreadGoal {
  /// Elements that the buffers of a rank may hold; negative: any number. Where nothing fits, the leanest is taken.
  std::int64_t most_buffers = -1;
  /// Instead of the best, number `rival` of all; 0: the best.
  int rival = 0;
  Strategy strategy = Strategy::any;
  /// Labels that are spread, and over how many ranks, in the order of the grid; for problems that have all of them.
  std::vector<std::pair<int, int>> blocks = {};
  KnownSpreads* known = nullptr;
  /// On a torus: simulate the best before one of them is chosen.
  bool simulate = true;
  /// In so many phases, where they can be had; 0: as it comes.
  int phases = 0;
  /// Whatever is fastest is made lean.
  bool lean = false;
};

/// The cheapest. All ranks decide alike.
Spread choose_spread(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal = {});
/// The cheapest few, that one first.
std::vector<Spread> best_spreads(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal);

/// What the best takes if everything is where it is best: hardly ever too much.
double least_seconds(const SpreadProblem& problem, const MachineModel& machine);

/// What a spread costs: fills in its words, messages, products, buffers and seconds.
void measure_spread(const SpreadProblem& problem, const MachineModel& machine, Spread& spread);

/// What a rank has to receive at least, however much memory there is, where the operands are full ones: packed ones
/// that are unpacked on the way may take less.
double lower_bound_words(const SpreadProblem& problem);

/// The contraction as the spread says, for make_program.
BlockContraction block_contraction(const SpreadProblem& problem, const Spread& spread);

}  // namespace ricci::planning
