#pragma once
// What messages take on a network: of all ranks alike, or a torus whose links they share.
#include <cstdint>
#include <vector>

#include <ricci/machine.hpp>

namespace ricci::planning {

/// As equal as the ranks allow, the greatest first: 4, 2, 2 for 16 ranks in three dimensions.
std::vector<int> torus_extents(int ranks, int dimensions);

/// Messages that are under way at a time, on a torus. Rank r has the coordinates r mod e0, r / e0 mod e1, …; a message
/// goes along the first dimension to where it has to be, by the shorter way, then along the second, and so on.
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
  std::vector<int> extents_;
  const MachineModel& machine_;
  int ranks_;
  int links_;                 // that are looked at, of a direction
  std::vector<double> busy_;  // seconds: [(dimension · 2 + direction) · links + rank that the link leaves]
  double latency_ = 0;
};

/// Bytes a second that each rank can receive where all send to all.
double bandwidth_of_all_to_all(const MachineModel& machine, int ranks);

}  // namespace ricci::planning
