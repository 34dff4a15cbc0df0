#pragma once
// How much of a program is done: of the bytes that it moves, or of its flops where it moves none.
#include <chrono>
#include <functional>

#include "program/program_plan.hpp"

namespace ricci::program {

class Progress {
 public:
  /// `tell` is given the part that is done, between 0 and 1, a few times a second at most; empty: nobody asks. Loops
  /// that end by a condition count as often as they are thought to run.
  Progress(const ProgramPlan& plan, int rank, std::function<void(double)> tell);

  bool is_wanted() const { return static_cast<bool>(tell_); }
  /// Bytes so far, of all disks and files of this rank.
  void moved(std::int64_t bytes);
  /// An operation has been run, without its body.
  void finished(const PlannedOperation& planned);

 private:
  void tell(double done);

  const ProgramPlan& plan_;
  std::function<void(double)> tell_;
  double bytes_ = 0, flops_ = 0, flops_done_ = 0;  // all of the program; so far
  std::chrono::steady_clock::time_point told_ = {};
};

}  // namespace ricci::program
