#pragma once
// What the messages of a spread take on a torus: who sends how much to whom, tile by tile, without making programs.
#include <map>
#include <memory>
#include <vector>

#include "plan/flow_simulation.hpp"
#include "plan/network.hpp"
#include "plan/spread.hpp"
#include "plan/tile_sets.hpp"
#include "plan/tile_sources.hpp"

namespace ricci::planning {

/// Refers to all that it is made of.
class SpreadTraffic {
 public:
  SpreadTraffic(const SpreadProblem& problem, const Spread& spread, TileSets& sets, const MachineModel& machine);

  /// Of all messages, from below: what the busiest links carry, stage by stage. Of all ranks of up to 1024, else of 64
  /// that stand for the others. No longer exact, but not too high, once it is above `enough`.
  double seconds(double enough);
  /// Adds the messages of all ranks to a simulation. `after`: steps that have to end before, `local`: seconds that a
  /// rank takes for its products. Returns the steps that have to end for all to be done.
  std::vector<int> add_to(FlowSimulation& simulation, const std::vector<int>& after, double local);

 private:
  using Words = std::vector<std::pair<int, double>>;  // of ranks

  /// Both operands' whole tiles are under way together. What is cut anew comes one operand after the other.
  enum Stage { output_there, tiles, first_cut_anew, second_cut_anew, partial_sums, output_back, stages };
  /// What one rank sends to another in a phase, in so many messages.
  struct Parcel {
    Stage stage;
    int phase, from, to;
    double bytes;
    int messages;
  };

  /// The messages of a rank: operands and moves of C that it receives, partial sums that it sends.
  void add(int rank);
  void fetch(Operand operand, int rank);
  void send_partial_sums(int rank);
  void move(Stage stage, const layout::Distribution& to, TileSources& sources, int rank);
  /// What the holders of the elements send to a rank.
  void receive(Stage stage, int phase, int rank, const layout::Distribution& from, const Words& of_holder);
  void add_up_to(int ranks);
  double seconds_so_far(double part) const;
  int& rounds(int phase, Stage stage) { return rounds_[static_cast<std::size_t>(phase) * stages + stage]; }

  const SpreadProblem& problem_;
  const BlockContraction& contraction_;
  TileSets& sets_;
  const MachineModel& machine_;
  /// Ranks that need or make the same tiles share what is found out about them.
  std::map<const TileSets::Numbers*, Words> known_;
  std::unique_ptr<TileSources> sources_[2];                  // of the operands
  std::unique_ptr<const layout::Distribution> home_, made_;  // of an output that is not made in its place
  std::unique_ptr<TileSources> from_home_, from_made_;
  TileSources owners_;  // of the output's tiles
  WordsOfRanks found_;  // while something is added up
  double longest_;      // message of tensors that are cut anew
  int added_ = 0;       // ranks
  std::vector<Parcel> parcels_;
  std::vector<int> rounds_;  // [phase · stages + stage]: the most messages of a parcel
};

}  // namespace ricci::planning
