#include "plan/desymmetrise.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "plan/classify.hpp"
#include "plan/longest_labels.hpp"
#include "plan/simulate_spreads.hpp"
#include "plan/spread_estimate.hpp"

namespace ricci::planning {

namespace {

/// The unit of the fold in which a label runs.
std::size_t unit_of(const SpreadProblem& problem, int label) {
  std::size_t u = 0;
  for (const symmetry::Unit& unit : problem.fold.units) {
    if (std::find(unit.labels.begin(), unit.labels.end(), label) != unit.labels.end()) break;
    ++u;
  }
  return u;
}

bool has_a_label_twice(const PlacedTensor& tensor) {
  return std::set<int>(tensor.labels.begin(), tensor.labels.end()).size() < tensor.labels.size();
}

void fold_anew(SpreadProblem& problem) {
  const auto labelled = [](const PlacedTensor& tensor) -> symmetry::Labelled {
    return {tensor.shape.get(), tensor.labels};
  };
  problem.fold = symmetry::fold(labelled(problem.c), labelled(problem.a), labelled(problem.b), problem.extents);
}

/// Where blocks want an operand: its labels on the grid dimensions of their blocks, the other dimensions on its longest
/// labels, as the panels of SUMMA are.
std::vector<std::vector<int>> wanted_mapping(const PlacedTensor& operand, const Spread& spread) {
  std::vector<std::vector<int>> mapping;
  std::vector<double> lengths;
  for (std::size_t mode = 0; mode < operand.labels.size(); ++mode) {
    const auto at = std::find(spread.labels.begin(), spread.labels.end(), operand.labels[mode]) - spread.labels.begin();
    mapping.push_back(spread.blocks.mapping()[at]);
    lengths.push_back(static_cast<double>(operand.shape->extents()[mode]));
  }
  deal_left_over(mapping, std::move(lengths), spread.blocks.grid().extents(), 1);
  return mapping;
}

/// An operand as it is once its broken groups are dissolved; nowhere yet.
PlacedTensor unpacked_operand(const SpreadProblem& problem, const PlacedTensor& packed) {
  return {std::make_shared<const symmetry::Shape>(packed.shape->extents(), unbroken_symmetry(problem, packed)),
          packed.labels,
          {}};
}

/// The copy from `packed` to `unpacked`, by itself.
SpreadProblem copy_problem(const SpreadProblem& contraction, const PlacedTensor& packed, const PlacedTensor& unpacked) {
  SpreadProblem copy = contraction;
  copy.a = packed;
  copy.b = {};
  copy.c = unpacked;
  copy.c.layout.reset();
  copy.c.stays = false;
  copy.accumulate = false;
  fold_anew(copy);
  return copy;
}

/// The copy from `packed` to `unpacked` in a mapping: everybody makes what it holds in the end. Modes that stand in one
/// group of the packed operand are cut alike, so that its tiles can be found.
UnpackedOperand unpack(const SpreadProblem& contraction, const PlacedTensor& packed, const PlacedTensor& unpacked,
                       const std::vector<std::vector<int>>& mapping, const Grid& grid) {
  UnpackedOperand copy;
  copy.problem = copy_problem(contraction, packed, unpacked);
  const auto ways = [&](int mode) {
    int product = 1;
    for (int dim : mapping[mode]) product *= grid.extents()[dim];
    return product;
  };
  std::vector<int> tiles(mapping.size(), 1);
  for (const symmetry::StorageDim& dim : packed.shape->dims()) {
    int common = 1, finer = 1;
    for (int mode : dim.modes) {
      common = std::lcm(common, ways(mode));
      const symmetry::StorageDim& kept = unpacked.shape->dims()[unpacked.shape->dim_of_mode(mode)];
      if (ways(mode) > 1) finer = std::max(finer, tiles_of_a_part(static_cast<int>(kept.modes.size())));
    }
    common *= finer;
    for (int mode : dim.modes) {
      tiles[mode] = static_cast<int>(std::min<std::int64_t>(common, std::max<std::int64_t>(1, dim.extent)));
    }
  }
  copy.spread.labels = labels_of(copy.problem);
  std::vector<std::vector<int>> blocks;
  std::vector<int> block_tiles;
  for (int label : copy.spread.labels) {
    const auto mode = std::find(unpacked.labels.begin(), unpacked.labels.end(), label) - unpacked.labels.begin();
    blocks.push_back(mapping[mode]);
    block_tiles.push_back(tiles[mode]);
  }
  copy.spread.blocks = Layout(grid, std::move(blocks), std::move(block_tiles));
  copy.spread.c = Layout(grid, mapping, std::move(tiles));
  copy.spread.a = *packed.layout;
  return copy;
}

/// The contraction of operands that have been unpacked to wherever is best.
SpreadProblem after_unpacking(const SpreadProblem& problem, Unpack which) {
  SpreadProblem after = problem;
  if (which.a) after.a = unpacked_operand(problem, problem.a);
  if (which.b) after.b = unpacked_operand(problem, problem.b);
  fold_anew(after);
  return after;
}

/// The problem with operands unpacked to where some blocks want them.
Desymmetrised unpacked(const SpreadProblem& problem, Unpack which, const Spread& for_blocks,
                       const MachineModel& machine) {
  Desymmetrised result;
  result.problem = after_unpacking(problem, which);
  for (const bool is_b : {false, true}) {
    if (!(is_b ? which.b : which.a)) continue;
    const PlacedTensor& packed = is_b ? problem.b : problem.a;
    PlacedTensor& tensor = is_b ? result.problem.b : result.problem.a;
    UnpackedOperand copy =
        unpack(problem, packed, tensor, wanted_mapping(tensor, for_blocks), for_blocks.blocks.grid());
    copy.spread.lean = for_blocks.lean;
    measure_spread(copy.problem, machine, copy.spread);
    copy.is_b = is_b;
    tensor.layout = copy.spread.c;
    result.operands.push_back(std::move(copy));
  }
  return result;
}

/// Whether unpacking first is to be preferred: what fits comes first, then what is faster; where nothing fits, what is
/// leaner.
bool is_better(const Desymmetrised& x, std::int64_t buffers, double seconds, const SpreadGoal& goal) {
  if (goal.most_buffers >= 0) {
    const bool x_fits = x.buffers() <= goal.most_buffers, other_fits = buffers <= goal.most_buffers;
    if (x_fits != other_fits) return x_fits;
    if (!x_fits && x.buffers() != buffers) return x.buffers() < buffers;
  }
  return x.seconds() < seconds;
}

}  // namespace

Symmetry unbroken_symmetry(const SpreadProblem& problem, const PlacedTensor& operand) {
  Symmetry kept;
  for (const SymmetryGroup& group : operand.shape->symmetry().groups()) {
    std::vector<std::vector<int>> together(problem.fold.units.size());
    for (int mode : group.modes) together[unit_of(problem, operand.labels[mode])].push_back(mode);
    for (std::vector<int>& modes : together) {
      if (modes.size() > 1) kept = kept * Symmetry(group.kind, std::move(modes));
    }
  }
  return kept;
}

bool breaks_groups(const SpreadProblem& problem, const PlacedTensor& operand) {
  return operand.shape && !(unbroken_symmetry(problem, operand) == operand.shape->symmetry());
}

double Desymmetrised::seconds() const {
  double sum = spread.seconds;
  for (const UnpackedOperand& operand : operands) sum += operand.spread.seconds;
  return sum;
}

std::int64_t Desymmetrised::words() const {
  std::int64_t sum = spread.words;
  for (const UnpackedOperand& operand : operands) sum += operand.spread.words;
  return sum;
}

std::int64_t Desymmetrised::buffers() const {
  std::int64_t held = 0, most = 0;
  for (const UnpackedOperand& operand : operands) {
    most = std::max(most, held + operand.spread.buffers);
    held += layout::Distribution(operand.problem.c.shape, operand.spread.c).largest_size();
  }
  return std::max(most, held + spread.buffers);
}

std::vector<Unpack> ways_to_unpack(const SpreadProblem& problem) {
  if (!problem.b.shape) return {};  // a copy unpacks by itself
  const auto can_be = [&](const PlacedTensor& operand) {
    return breaks_groups(problem, operand) && operand.layout && !has_a_label_twice(operand);
  };
  const bool a = can_be(problem.a), b = can_be(problem.b);
  std::vector<Unpack> ways;
  if (a) ways.push_back({true, false});
  if (b) ways.push_back({false, true});
  if (a && b) ways.push_back({true, true});
  return ways;
}

namespace {

void simulate(Desymmetrised& way, const MachineModel& machine) {
  std::vector<SimulatedSpread> spreads;
  for (UnpackedOperand& operand : way.operands) spreads.push_back({&operand.problem, &operand.spread});
  spreads.push_back({&way.problem, &way.spread});
  simulate(spreads, machine);
}

}  // namespace

Desymmetrised desymmetrise(const SpreadProblem& problem, Unpack which, const Spread* direct,
                           const MachineModel& machine, const SpreadGoal& goal, double enough) {
  SpreadGoal roughly = goal;  // copies and contraction are looked at together
  roughly.closely = false;
  // The best few for operands that might be anywhere say where they may be unpacked to, and so do the blocks of the
  // direct way.
  const std::size_t few = machine.torus_dimensions > 0 ? 4 : 2;  // there messages take most of the time
  std::vector<Spread> wanted = best_spreads(after_unpacking(problem, which), machine, roughly);
  wanted.resize(std::min(wanted.size(), few));
  if (direct && goal.rival == 0) wanted.push_back(*direct);
  std::vector<Desymmetrised> ways;
  for (const Spread& spread : wanted) {
    Desymmetrised& here = ways.emplace_back(unpacked(problem, which, spread, machine));
    here.spread = spread;
    if (which.a) here.spread.a = *here.problem.a.layout;
    if (which.b) here.spread.b = *here.problem.b.layout;
    measure_spread(here.problem, machine, here.spread);
  }
  const auto best_first = [&](const Desymmetrised& x, const Desymmetrised& y) {
    return is_better(x, y.buffers(), y.seconds(), goal);
  };
  std::stable_sort(ways.begin(), ways.end(), best_first);
  for (Desymmetrised& way : ways) {
    if (!goal.closely || !may_be_faster(way.seconds(), enough)) continue;
    simulate(way, machine);
    enough = std::min(enough, way.seconds());
  }
  std::stable_sort(ways.begin(), ways.end(), best_first);
  Desymmetrised& result = ways[0];
  Spread& spread = result.spread;
  spread.rivals = wanted[0].rivals;
  spread.before = result.seconds() - spread.seconds;
  for (Rival& rival : spread.rivals) {
    rival.name = "desymmetrise, then " + rival.name;
    rival.words += result.words() - spread.words;
    rival.seconds = std::max(rival.seconds + spread.before, result.seconds());
  }
  return std::move(result);
}

namespace {

/// Number `rival` of all plans: the strategies take turns.
StrategyChoice take_rival(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal,
                          const std::vector<Unpack>& ways) {
  const bool direct_too = ways.empty() || goal.strategy != Strategy::desymmetrise;
  const int strategies = static_cast<int>(ways.size()) + (direct_too ? 1 : 0);
  const int number = goal.rival % strategies;
  SpreadGoal within = goal;
  within.rival = goal.rival / strategies;
  if (direct_too && number == 0) return {choose_spread(problem, machine, within), {}};
  return {Spread{}, desymmetrise(problem, ways[number - (direct_too ? 1 : 0)], nullptr, machine, within)};
}

/// What unpacking these operands takes at least.
double least_seconds_of_copies(const SpreadProblem& problem, Unpack which, const MachineModel& machine) {
  double seconds = 0;
  for (const bool is_b : {false, true}) {
    if (!(is_b ? which.b : which.a)) continue;
    const PlacedTensor& packed = is_b ? problem.b : problem.a;
    seconds += least_seconds(copy_problem(problem, packed, unpacked_operand(problem, packed)), machine);
  }
  return seconds;
}

void add_rival(Spread& winner, Rival rival) {
  const auto after = std::find_if(winner.rivals.begin(), winner.rivals.end(),
                                  [&](const Rival& other) { return other.seconds > rival.seconds; });
  winner.rivals.insert(after, std::move(rival));
}

}  // namespace

StrategyChoice choose_strategy(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal) {
  const std::vector<Unpack> ways = goal.strategy == Strategy::cast ? std::vector<Unpack>{} : ways_to_unpack(problem);
  if (goal.rival > 0) return take_rival(problem, machine, goal, ways);
  StrategyChoice choice{choose_spread(problem, machine, goal), {}};
  Spread& direct = choice.direct;
  const bool forced = goal.strategy == Strategy::desymmetrise;
  double enough = forced ? std::numeric_limits<double>::infinity() : direct.seconds;
  std::optional<Desymmetrised> best;
  double bound = std::numeric_limits<double>::infinity();  // of ways that are not looked at
  for (const Unpack& way : ways) {
    if (!forced && goal.most_buffers < 0) {
      constexpr double margin = 0.95;  // estimates may be too high by so much
      const double least = margin * (least_seconds_of_copies(problem, way, machine) +
                                     least_seconds(after_unpacking(problem, way), machine));
      if (least >= enough) {
        bound = std::min(bound, least);
        continue;
      }
    }
    Desymmetrised other = desymmetrise(problem, way, &direct, machine, goal, enough);
    enough = std::min(enough, other.seconds());
    if (!best || is_better(other, best->buffers(), best->seconds(), goal)) best = std::move(other);
  }
  if (!best) {
    if (!ways.empty()) add_rival(direct, {direct.blocks, "desymmetrise, at least", direct.words, bound});
    return choice;
  }
  if (forced || is_better(*best, direct.buffers, direct.seconds, goal)) {
    add_rival(best->spread, {direct.blocks, name_of_algorithm(problem, direct), direct.words, direct.seconds});
    choice.desymmetrised = std::move(best);
  } else {
    add_rival(direct,
              {best->spread.blocks, name_of_algorithm(best->problem, best->spread), best->words(), best->seconds()});
  }
  return choice;
}

}  // namespace ricci::planning
