#pragma once
// How flows share links.
#include <cstdint>
#include <span>
#include <vector>

namespace ricci::planning {

/// What a flow takes of a link, in multiples of its rate.
struct LinkUse {
  std::int32_t link;
  float part;
};

struct FairFlow {
  std::span<const LinkUse> uses;
  double weight;  // its share of a link is proportional to it
  double rate = 0;
};

/// Weighted max-min fairness by progressive filling: no flow can get more without taking from one that has, for its
/// weight, no more. Every link carries 1. Bertsekas, Gallager: Data Networks, section 6.5.2; with weights as of TCP,
/// whose shares are inverse to the round trip.
class FairShares {
 public:
  explicit FairShares(int links) : room_(links), weight_(links), begin_(links + 1) {}

  /// Sets the rates.
  void solve(std::vector<FairFlow>& flows);

 private:
  std::vector<double> room_, weight_;  // [link]: what is left of it, and the weights of flows without a rate
  std::vector<std::int32_t> begin_, flows_of_;
};

}  // namespace ricci::planning
