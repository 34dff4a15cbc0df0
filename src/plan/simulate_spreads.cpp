#include "plan/simulate_spreads.hpp"

#include <algorithm>

#include "plan/flow_simulation.hpp"
#include "plan/spread_count.hpp"
#include "plan/spread_traffic.hpp"
#include "plan/tile_sets.hpp"

namespace ricci::planning {

namespace {

/// What a rank takes by itself. Where readings of an operand cannot be summed up, as some of their tiles lie on a
/// diagonal and others do not, there are more products than counting elements gives: its program has them all.
double local_seconds(const SpreadProblem& problem, const Spread& spread, const BlockContraction& contraction,
                     const MachineModel& machine) {
  const TileTerms& terms = contraction.terms;
  if (!terms.is_symmetrised(false) && !terms.is_symmetrised(true)) return spread.local;
  const double products = make_program(contraction, busiest_rank(contraction)).products();
  const double more = std::max(0.0, products - spread.products);
  return spread.local + more * problem.flops_per_product / machine.gemm_flops;
}

}  // namespace

bool simulate(const std::vector<SimulatedSpread>& spreads, const MachineModel& machine) {
  constexpr int most_ranks = 512;
  const int ranks = spreads[0].problem->ranks;
  if (machine.torus_dimensions == 0 || ranks > most_ranks) return false;
  FlowSimulation simulation(machine, ranks);
  std::vector<int> ended, last;
  for (const auto& [problem, spread] : spreads) {
    const BlockContraction contraction = block_contraction(*problem, *spread);
    TileSets sets(contraction);
    SpreadTraffic traffic(*problem, *spread, sets, machine);
    const double local = local_seconds(*problem, *spread, contraction, machine);
    ended = {simulation.add_step(traffic.add_to(simulation, ended, local))};
    last.push_back(ended[0]);
  }
  simulation.run();
  double before = 0;
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    spreads[i].spread->seconds = simulation.ended(last[i]) - before;
    before = simulation.ended(last[i]);
  }
  return true;
}

bool may_be_faster(double by_links, double simulated) {
  constexpr double too_high = 1.1;
  return by_links < too_high * simulated;
}

void simulate_best(const SpreadProblem& problem, const MachineModel& machine, std::vector<Spread>& spreads) {
  constexpr std::size_t most = 4;
  if (!simulate({{&problem, &spreads[0]}}, machine)) return;
  double fastest = spreads[0].seconds;
  std::size_t count = 1;
  for (; count < std::min(most, spreads.size()) && may_be_faster(spreads[count].seconds, fastest); ++count) {
    simulate({{&problem, &spreads[count]}}, machine);
    fastest = std::min(fastest, spreads[count].seconds);
  }
  // What was not simulated might turn out to be slower, but is not taken to be faster.
  for (std::size_t i = count; i < spreads.size(); ++i) spreads[i].seconds = std::max(spreads[i].seconds, fastest);
  std::stable_sort(spreads.begin(), spreads.end(),
                   [](const Spread& x, const Spread& y) { return x.seconds < y.seconds; });
}

}  // namespace ricci::planning
