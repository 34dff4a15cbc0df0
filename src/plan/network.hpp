#pragma once
// What messages take on a network: of all ranks alike, or a torus whose links they share.
#include <cstdint>
#include <vector>

#include <ricci/machine.hpp>

#include "plan/torus.hpp"

namespace ricci::planning {

/// Messages that are under way at a time, on a torus.
class TorusTraffic {
 public:
  /// On so many ranks every link is looked at; on more, those of a direction together.
  static constexpr int most_ranks = 1024;

  /// `machine` has a torus.
  TorusTraffic(const MachineModel& machine, int ranks);

  /// `bytes` from one rank to another, in messages of about `message` bytes each.
  void add(int from, int to, double bytes, double message);
  /// Until all have arrived: what the busiest link carries, and the latency of the longest way. `part`: of all ranks
  /// whose messages were added. Where that is not all of them, the others' are taken to be alike, and the links of a
  /// direction to carry the same.
  double seconds(double part) const;

 private:
  Torus torus_;
  const MachineModel& machine_;
  int ranks_;
  int links_;                 // that are looked at, of a direction
  std::vector<double> busy_;  // seconds: [(dimension · 2 + direction) · links + rank that the link leaves]
  double latency_ = 0;
};

/// Until all ranks know something that each knows a part of: to the first one and back along a binomial tree.
double seconds_of_agreement(const MachineModel& machine, int ranks);

/// Bytes a second that each rank can receive where all send to all.
double bandwidth_of_all_to_all(const MachineModel& machine, int ranks);

}  // namespace ricci::planning
