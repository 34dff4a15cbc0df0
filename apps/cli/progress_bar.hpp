#pragma once
// How far a long run has got, on standard error: a bar on a terminal, a line now and then elsewhere.
#include <chrono>

namespace cli {

class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { clear(); }

  /// Between 0 and 1. Nothing is shown of runs that end soon.
  void show(double done);
  /// Takes the bar away, so that something else can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point begin_, last_;
};

}  // namespace cli
