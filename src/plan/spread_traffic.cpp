#include "plan/spread_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "layout/redistribution.hpp"
#include "plan/move_cost.hpp"

namespace ricci::planning {

using layout::Distribution;
using layout::TensorTiles;
using layout::TileTuples;

namespace {

/// The numbers of a rank's own tiles.
void add_own_tiles(const layout::LocalTiles& own, const TensorTiles& all, TileTuples& tile,
                   std::vector<std::int64_t>& numbers) {
  if (tile.size() == own.tiles().size()) {
    numbers.push_back(all.number(tile));
    return;
  }
  for (const layout::TileTuple& unit_tile : own.tiles()[tile.size()]) {
    tile.push_back(unit_tile);
    add_own_tiles(own, all, tile, numbers);
    tile.pop_back();
  }
}

}  // namespace

SpreadTraffic::SpreadTraffic(const SpreadProblem& problem, const Spread& spread, TileSets& sets,
                             const MachineModel& machine)
    : problem_(problem),
      contraction_(sets.contraction()),
      sets_(sets),
      machine_(machine),
      owners_(*contraction_.terms.c().distribution, *contraction_.terms.c().distribution),
      found_(problem.ranks),
      longest_(static_cast<double>(layout::Redistribution::longest_message(problem.ranks))),
      rounds_(static_cast<std::size_t>(contraction_.phases) * stages, 0) {
  for (const Operand operand : {first, second}) {
    const TiledTensor& tensor = operand == first ? contraction_.terms.a() : contraction_.terms.b();
    if (tensor.exists()) sources_[operand] = std::make_unique<TileSources>(*tensor.stored, *tensor.distribution);
  }
  if (!problem.c.layout || *problem.c.layout == spread.c) return;
  home_ = std::make_unique<const Distribution>(problem.c.shape, *problem.c.layout);
  made_ = std::make_unique<const Distribution>(problem.c.shape, spread.c);
  if (problem.accumulate) from_home_ = std::make_unique<TileSources>(*home_, *made_);
  if (problem.c.stays) from_made_ = std::make_unique<TileSources>(*made_, *home_);
}

double SpreadTraffic::seconds(double enough) {
  constexpr int typical = 64, first_look = 8;
  const int count = problem_.ranks <= TorusTraffic::most_ranks ? problem_.ranks : typical;
  // What the links carry on average is less than what the busiest one does.
  if (first_look < count) {
    add_up_to(first_look);
    const double average = seconds_so_far(static_cast<double>(first_look) / problem_.ranks);
    if (average > enough) return average;
  }
  add_up_to(count);
  return seconds_so_far(static_cast<double>(count) / problem_.ranks);
}

void SpreadTraffic::add_up_to(int ranks) {
  for (; added_ < ranks; ++added_) add(looked_at(problem_.ranks, added_));
}

void SpreadTraffic::add(int rank) {
  fetch(first, rank);
  fetch(second, rank);
  send_partial_sums(rank);
  if (from_home_) move(output_there, *made_, *from_home_, rank);
  if (from_made_) move(output_back, *home_, *from_made_, rank);
}

void SpreadTraffic::fetch(Operand operand, int rank) {
  const TiledTensor& tensor = operand == first ? contraction_.terms.a() : contraction_.terms.b();
  if (!tensor.exists()) return;
  const Stage stage = !tensor.is_cut_anew() ? tiles : operand == first ? first_cut_anew : second_cut_anew;
  for (int phase = 0; phase < contraction_.phases; ++phase) {
    const TileSets::Numbers& numbers = sets_.needed(operand, rank, phase);
    const auto [entry, is_new] = known_.try_emplace(&numbers);
    if (is_new) {
      for (std::int64_t number : numbers) sources_[operand]->add(number, found_);
      entry->second = found_.take();
    }
    receive(stage, phase, rank, *tensor.stored, entry->second);
  }
}

void SpreadTraffic::send_partial_sums(int rank) {
  const TileSets::Numbers& numbers = sets_.made(rank);
  const auto [entry, is_new] = known_.try_emplace(&numbers);
  if (is_new) {
    for (std::int64_t number : numbers) owners_.add(number, found_);
    entry->second = found_.take();
  }
  for (const auto& [owner, words] : entry->second) {
    if (owner == rank) continue;
    parcels_.push_back({partial_sums, 0, rank, owner, words * static_cast<double>(problem_.element_size), 1});
  }
}

void SpreadTraffic::move(Stage stage, const Distribution& to, TileSources& sources, int rank) {
  TileTuples tile;
  std::vector<std::int64_t> numbers;
  add_own_tiles(to.local(rank), TensorTiles(to), tile, numbers);
  for (std::int64_t number : numbers) sources.add(number, found_);
  receive(stage, 0, rank, sources.stored(), found_.take());
}

void SpreadTraffic::receive(Stage stage, int phase, int rank, const Distribution& from, const Words& of_holder) {
  for (const auto& [holder, words] : of_holder) {
    const int source = from.source(holder, rank);
    if (source == rank) continue;
    const double bytes = words * static_cast<double>(problem_.element_size);
    const int messages = stage == tiles ? 1 : static_cast<int>(std::ceil(bytes / longest_));
    parcels_.push_back({stage, phase, source, rank, bytes, messages});
  }
}

double SpreadTraffic::seconds_so_far(double part) const {
  // Where just one operand is cut anew, it comes while the other's tiles are under way.
  const bool one_by_one = sources_[first] && sources_[second] && contraction_.terms.a().is_cut_anew() &&
                          contraction_.terms.b().is_cut_anew();
  std::vector<TorusTraffic> traffic(stages, TorusTraffic(machine_, problem_.ranks));
  for (const Parcel& parcel : parcels_) {
    const bool is_operand = parcel.stage == first_cut_anew || parcel.stage == second_cut_anew;
    TorusTraffic& here = traffic[is_operand && !one_by_one ? tiles : parcel.stage];
    here.add(parcel.from, parcel.to, parcel.bytes, parcel.bytes / parcel.messages);
  }
  double sum = 0;
  for (const TorusTraffic& stage : traffic) sum += stage.seconds(part);
  return sum;
}

// As exec::BlockContraction and exec::Redistribute run it. What is cut anew goes in rounds, two of which are under way
// at a time: a rank begins a round when it has ended the last but one. The tiles of a phase are under way while the
// one before is computed.
std::vector<int> SpreadTraffic::add_to(FlowSimulation& simulation, const std::vector<int>& after, double local) {
  add_up_to(problem_.ranks);
  for (const Parcel& parcel : parcels_) {
    int& most = rounds(parcel.phase, parcel.stage);
    most = std::max(most, parcel.messages);
  }
  std::vector<int> first_step(rounds_.size(), 0);
  const auto add_rounds = [&](int phase, Stage stage, const std::vector<int>& begin) {
    std::vector<int> steps;
    for (int round = 0; round < rounds(phase, stage); ++round) {
      std::vector<int> waits = round < 2 ? begin : std::vector<int>{steps[round - 2]};
      if (round > 2) waits.push_back(steps[round - 3]);
      steps.push_back(simulation.add_step(std::move(waits)));
    }
    if (steps.empty()) return begin;
    first_step[&rounds(phase, stage) - rounds_.data()] = steps[0];
    if (steps.size() > 2) steps.erase(steps.begin(), steps.end() - 2);
    return steps;
  };
  const auto both = [](std::vector<int> x, const std::vector<int>& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
  };
  std::vector<int> computed = add_rounds(0, output_there, after), fetched = computed, computed_before = computed;
  for (int phase = 0; phase < contraction_.phases; ++phase) {
    const std::vector<int> begin = phase == 0 ? fetched : both(fetched, computed_before);
    const std::vector<int> whole = add_rounds(phase, tiles, begin);
    fetched = both(add_rounds(phase, second_cut_anew, add_rounds(phase, first_cut_anew, begin)), whole);
    computed_before = computed;
    computed = {simulation.add_step(phase == 0 ? fetched : both(fetched, computed), local / contraction_.phases)};
  }
  const std::vector<int> ended = add_rounds(0, output_back, add_rounds(0, partial_sums, computed));
  for (const Parcel& parcel : parcels_) {
    const int step = first_step[&rounds(parcel.phase, parcel.stage) - rounds_.data()];
    for (int round = 0; round < parcel.messages; ++round) {
      simulation.add(step + round, parcel.from, parcel.to, parcel.bytes / parcel.messages);
    }
  }
  return ended;
}

}  // namespace ricci::planning
