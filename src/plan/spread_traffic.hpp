#pragma once
// What the messages of a spread take on a torus: who sends how much to whom, tile by tile, without making programs.
#include <map>
#include <memory>
#include <vector>

#include "plan/network.hpp"
#include "plan/spread.hpp"
#include "plan/tile_sets.hpp"
#include "plan/tile_sources.hpp"

namespace ricci::planning {

/// Refers to all that it is made of.
class SpreadTraffic {
 public:
  SpreadTraffic(const SpreadProblem& problem, const Spread& spread, TileSets& sets, const MachineModel& machine);

  /// Of all messages: of all ranks of up to 1024, else of 64 that stand for the others. No longer exact, but not too
  /// high, once it is above `enough`.
  double seconds(double enough);

 private:
  using Words = std::vector<std::pair<int, double>>;  // of ranks

  /// The messages of a rank: operands and moves of C that it receives, partial sums that it sends.
  void add(int rank);
  void fetch(Operand operand, int rank);
  void send_partial_sums(int rank);
  void move(const layout::Distribution& to, TileSources& sources, int rank, TorusTraffic& traffic);
  /// What the holders of the elements send to a rank, in messages that are no longer than `longest` bytes.
  void receive(int rank, const layout::Distribution& from, const Words& of_holder, double longest,
               TorusTraffic& traffic) const;
  double seconds_so_far(double part) const;

  const SpreadProblem& problem_;
  const BlockContraction& contraction_;
  TileSets& sets_;
  /// Ranks that need or make the same tiles share what is found out about them.
  std::map<const TileSets::Numbers*, Words> known_;
  std::unique_ptr<TileSources> sources_[2];                  // of the operands
  std::unique_ptr<const layout::Distribution> home_, made_;  // of an output that is not made in its place
  std::unique_ptr<TileSources> from_home_, from_made_;
  WordsOfRanks found_;                                  // while something is added up
  double longest_;                                      // message of tensors that are cut anew
  TorusTraffic before_, fetches_[2], partial_, after_;  // one after the other
};

}  // namespace ricci::planning
