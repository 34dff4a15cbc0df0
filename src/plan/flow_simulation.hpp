#pragma once
// Messages on a torus as flows that share its links, and ranks that wait for them.
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <ricci/machine.hpp>

#include "plan/fair_shares.hpp"
#include "plan/torus.hpp"

namespace ricci::planning {

/// Every rank goes through the same steps. A step begins on a rank when those that it comes after have ended there, and
/// ends when its messages have arrived: those that the rank receives, and those that it sends unless they are eager. A
/// message starts when both its ranks have begun its step; after its latency it gets a fair share of all links on its
/// way, until all of it is there. Refers to the machine, which has a torus.
class FlowSimulation {
 public:
  FlowSimulation(const MachineModel& machine, int ranks);

  /// `after`: steps that were added before; `delay`: seconds that each rank takes by itself before it begins.
  int add_step(std::vector<int> after, double delay = 0);
  /// A message of a step.
  void add(int step, int from, int to, double bytes);

  /// Once only.
  void run();
  /// When the last rank ended a step.
  double ended(int step) const;

 private:
  struct Flow {
    std::int32_t from, to, step;
    std::uint32_t begin, end;  // in uses_
    float weight;              // inverse to the length of its way
    bool eager;
    double latency, work;  // seconds, the latter on links that nobody else uses
  };
  struct Active {
    std::int32_t flow;
    double left;  // of its work
  };
  struct Step {
    std::vector<int> after, before;
    double delay;
  };
  /// Of a step on a rank.
  struct State {
    int open = 0;     // messages
    int waiting = 0;  // steps that have to end before, and one for the beginning of it all
    double begun = 0, ended = 0;
    std::vector<std::int32_t> flows = {};
  };

  State& state(int rank, int step) { return states_[static_cast<std::size_t>(step * ranks_ + rank)]; }
  void prepare();
  /// One of the steps that this one comes after has ended on the rank.
  void release(int rank, int step, double at);
  void end_message(int rank, int step, double at);
  void activate(double until);
  /// Until so many have ended, or started, that rates have to be worked out anew.
  double time_of_ends(std::vector<double> ends) const;
  double time_of_starts();

  const MachineModel& machine_;
  Torus torus_;
  int ranks_;
  std::vector<Flow> flows_;
  std::vector<LinkUse> uses_;
  std::vector<Step> steps_;
  std::vector<State> states_;  // [step · ranks + rank]
  using Start = std::pair<double, std::int32_t>;
  std::priority_queue<Start, std::vector<Start>, std::greater<>> starting_;  // when their latency is over
  std::vector<Active> active_;
  double part_ = 0;  // of the flows, that come or go between two times at which rates are worked out
};

}  // namespace ricci::planning
