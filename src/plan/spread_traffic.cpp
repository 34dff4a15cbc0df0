#include "plan/spread_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "layout/redistribution.hpp"

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
      found_(problem.ranks),
      longest_(static_cast<double>(layout::Redistribution::longest_message(problem.ranks))),
      before_(machine, problem.ranks),
      fetches_{{machine, problem.ranks}, {machine, problem.ranks}},
      partial_(machine, problem.ranks),
      after_(machine, problem.ranks) {
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
  for (int i = 0; i < count; ++i) {
    // Ranks that differ in all coordinates of usual grids.
    add(static_cast<int>(std::int64_t{i} * 2654435761 % problem_.ranks));
    // What the links carry on average is less than what the busiest one does.
    if (i + 1 == first_look && i + 1 < count) {
      const double average = seconds_so_far(static_cast<double>(first_look) / problem_.ranks);
      if (average > enough) return average;
    }
  }
  return seconds_so_far(static_cast<double>(count) / problem_.ranks);
}

void SpreadTraffic::add(int rank) {
  fetch(first, rank);
  fetch(second, rank);
  send_partial_sums(rank);
  if (from_home_) move(*made_, *from_home_, rank, before_);
  if (from_made_) move(*home_, *from_made_, rank, after_);
}

// Whole tiles of both operands are under way together. What is cut anew comes one operand after the other.
void SpreadTraffic::fetch(Operand operand, int rank) {
  const TileTerms& terms = contraction_.terms;
  const TiledTensor& tensor = operand == first ? terms.a() : terms.b();
  if (!tensor.exists()) return;
  const bool cut_anew = tensor.is_cut_anew();
  const bool after_the_other = operand == second && cut_anew && terms.a().is_cut_anew();
  for (int phase = 0; phase < contraction_.phases; ++phase) {
    const TileSets::Numbers& numbers = sets_.needed(operand, rank, phase);
    const auto [entry, is_new] = known_.try_emplace(&numbers);
    if (is_new) {
      for (std::int64_t number : numbers) sources_[operand]->add(number, found_);
      entry->second = found_.take();
    }
    receive(rank, *tensor.stored, entry->second, cut_anew ? longest_ : std::numeric_limits<double>::infinity(),
            fetches_[after_the_other]);
  }
}

void SpreadTraffic::send_partial_sums(int rank) {
  const TileSets::Numbers& numbers = sets_.made(rank);
  const auto [entry, is_new] = known_.try_emplace(&numbers);
  if (is_new) {
    const TensorTiles results(*contraction_.terms.c().distribution);
    for (std::int64_t number : numbers) {
      const TileTuples tile = results.tile(number);
      found_.add(results.owner(tile), static_cast<double>(results.size(tile)));
    }
    entry->second = found_.take();
  }
  for (const auto& [owner, words] : entry->second) {
    const double bytes = words * static_cast<double>(problem_.element_size);
    partial_.add(rank, owner, bytes, bytes);
  }
}

void SpreadTraffic::move(const Distribution& to, TileSources& sources, int rank, TorusTraffic& traffic) {
  TileTuples tile;
  std::vector<std::int64_t> numbers;
  add_own_tiles(to.local(rank), TensorTiles(to), tile, numbers);
  for (std::int64_t number : numbers) sources.add(number, found_);
  receive(rank, sources.stored(), found_.take(), longest_, traffic);
}

void SpreadTraffic::receive(int rank, const Distribution& from, const Words& of_holder, double longest,
                            TorusTraffic& traffic) const {
  for (const auto& [holder, words] : of_holder) {
    const double bytes = words * static_cast<double>(problem_.element_size);
    traffic.add(from.source(holder, rank), rank, bytes, bytes / std::max(1.0, std::ceil(bytes / longest)));
  }
}

double SpreadTraffic::seconds_so_far(double part) const {
  double sum = 0;
  for (const TorusTraffic* stage : {&before_, &fetches_[0], &fetches_[1], &partial_, &after_}) {
    sum += stage->seconds(part);
  }
  return sum;
}

}  // namespace ricci::planning
