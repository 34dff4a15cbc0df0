#include "plan/spread.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "layout/redistribution.hpp"
#include "plan/classify.hpp"
#include "plan/deal.hpp"
#include "plan/move_cost.hpp"
#include "plan/simulate_spreads.hpp"
#include "plan/spread_count.hpp"
#include "plan/spread_estimate.hpp"
#include "plan/spread_maker.hpp"
#include "plan/spread_traffic.hpp"

namespace ricci::planning {

namespace {

class Search {
 public:
  Search(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal)
      : problem_(problem),
        machine_(machine),
        goal_(goal),
        estimate_(problem, machine),
        labels_(labels_of(problem)),
        maker_(problem, labels_, !asked_for().empty()),
        phases_(std::max(1, goal.phases)) {}

  std::vector<Spread> run() {
    if (asked_for().empty()) {
      candidates_ = deals(goal_.rival > 0                                  ? std::numeric_limits<std::size_t>::max()
                          : goal_.closely || machine_.torus_dimensions > 0 ? looked_at_ways
                                                                           : looked_at_roughly);
      if (goal_.most_buffers >= 0) add_lean_candidates();
    } else {
      parts_.assign(labels_.size(), 1);
      for (const auto& [label, parts] : asked_for()) parts_[number_of(label)] = parts;
      candidates_ = {{parts_, 0}};
    }
    if (goal_.rival > 0) return {take_rival()};
    return goal_.most_buffers >= 0 ? choose_lean() : choose();
  }

  /// The best ways to deal out the ranks, by estimate; without `sums_too`, those that leave sums on one rank.
  std::vector<Deal> deals(std::size_t most, bool sums_too = true) {
    std::vector<std::int64_t> extents;
    for (int label : labels_) extents.push_back(problem_.extents[label]);
    const auto seconds = [&](const std::vector<int>& parts) {
      if (!sums_too && spreads_sums(parts)) return std::numeric_limits<double>::max();
      estimate_.set_parts(parts);
      return estimate_.seconds();
    };
    return deal_ranks(problem_.ranks, extents, seconds, most);
  }

  /// Counts what so many ranks do (0: all of a few, some of many); no more of them once one takes longer than `enough`.
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  void measure(Spread& spread, double enough = infinity, int ranks = 0) const;

 private:
  static constexpr std::size_t looked_at_ways = 24, looked_at_roughly = 7;  // by counting

  /// How operands and partial sums come to several ranks.
  struct Relays {
    Relay fetch[2], sums;
    double seconds = 0;  // more than if every holder served one rank
  };
  Relays best_relays(const RankCount& counted) const;

  /// The blocks that the goal asks for, if they are for this problem.
  std::span<const std::pair<int, int>> asked_for() const {
    const bool has_all = std::all_of(goal_.blocks.begin(), goal_.blocks.end(),
                                     [&](const auto& block) { return number_of(block.first) < labels_.size(); });
    return std::span(goal_.blocks).first(has_all ? goal_.blocks.size() : 0);
  }
  std::size_t number_of(int label) const {
    return static_cast<std::size_t>(std::find(labels_.begin(), labels_.end(), label) - labels_.begin());
  }

  bool spreads_sums(const std::vector<int>& parts) const {
    const std::vector<int>& output = problem_.c.labels;
    for (std::size_t l = 0; l < labels_.size(); ++l) {
      if (parts[l] > 1 && std::find(output.begin(), output.end(), labels_[l]) == output.end()) return true;
    }
    return false;
  }

  /// The fastest ways are often those that spread sums, and partial sums take memory that more phases do not make less.
  void add_lean_candidates() {
    constexpr std::size_t most = 8;
    for (Deal& deal : deals(most, false)) {
      const auto is_same = [&](const Deal& other) { return other.parts == deal.parts; };
      if (spreads_sums(deal.parts) || std::any_of(candidates_.begin(), candidates_.end(), is_same)) continue;
      candidates_.push_back(std::move(deal));
    }
  }

  void set_parts(const std::vector<int>& parts) {
    parts_ = parts;
    estimate_.set_parts(parts);
    maker_.set_parts(parts);
  }

  // ---- The best few by estimate, exactly.

  /// More phases only where memory matters.
  std::vector<Variant> variants() const {
    std::vector<Variant> result;
    const int most_phases = goal_.most_buffers >= 0 ? 256 : goal_.rival > 0 ? 4 : phases_;
    const bool together = goal_.most_buffers < 0 && estimate_.sums_stay_together();
    for (const std::vector<std::size_t>& order : grid_orders()) {
      for (const Tiles tiles : {Tiles::of_all, Tiles::of_output, Tiles::fewest, Tiles::even}) {
        const bool cut = goal_.rival > 0 || tiles == Tiles::of_output || tiles == Tiles::fewest;
        for (int phases = phases_; phases <= (cut ? most_phases : 1); phases *= 2) {
          if (goal_.rival > 0 || !together) result.push_back({tiles, order, phases, false});
          if (goal_.rival > 0 || together) result.push_back({tiles, order, phases, true});
        }
      }
      if (goal_.most_buffers >= 0) break;  // how the grid lies changes traffic, and hardly any buffer
    }
    return result;
  }

  /// Whether x is to be preferred: what fits comes first, then what is faster; where nothing fits, what is leaner.
  bool better(const Spread& x, const Spread& y) const {
    if (goal_.most_buffers >= 0) {
      const bool x_fits = x.buffers <= goal_.most_buffers, y_fits = y.buffers <= goal_.most_buffers;
      if (x_fits != y_fits) return x_fits;
      if (!x_fits && x.buffers != y.buffers) return x.buffers < y.buffers;
    }
    return x.seconds < y.seconds;
  }

  std::vector<Spread> choose() {
    std::vector<Spread> found;  // the best for each way to deal out the ranks
    double fastest = infinity;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      // An estimate takes everything to be where it is best; so it is hardly ever too high, and then by a little.
      const double too_high = goal_.closely ? 1.03 : 1;
      if (found.size() > shown && candidates_[i].seconds > too_high * fastest) break;
      std::optional<Spread> best;
      set_parts(candidates_[i].parts);
      std::vector<Spread> tried;
      const std::vector<Variant> all = variants();
      Tiles best_tiles = all[0].tiles;
      for (const Variant& variant : all) {
        // What tiles are best does not depend on how the grid lies: other orders are tried with those alone.
        if (variant.order != all[0].order && variant.tiles != best_tiles) continue;
        std::optional<Spread> spread = maker_.make_spread(variant);
        if (!spread || (!found.empty() && is_too_fine(*spread)) || is_among(*spread, tried)) continue;
        tried.push_back(*spread);
        // What is slower on one rank already need not be looked at on others. Of those that are shown as rivals more
        // is to be known.
        measure(*spread, (found.size() > shown ? 1 : 1.25) * fastest, at_first());
        if (!best || spread->seconds < best->seconds) {
          best = std::move(spread);
          best_tiles = variant.tiles;
        }
        if (best) fastest = std::min(fastest, best->seconds);
      }
      if (best) found.push_back(std::move(*best));
    }
    if (found.empty()) {  // not in so many phases
      phases_ = 1;
      return choose();
    }
    const auto best_first = [&](const Spread& x, const Spread& y) { return better(x, y); };
    std::stable_sort(found.begin(), found.end(), best_first);
    if (goal_.closely && at_first() > 0) {
      found.resize(std::min(found.size(), shown + 1));
      for (Spread& spread : found) measure(spread);
      std::stable_sort(found.begin(), found.end(), best_first);
    }
    if (goal_.lean) make_lean(found[0]);
    if (goal_.closely) simulate_best(problem_, machine_, found);
    return with_rivals(std::move(found));
  }

  /// How many ranks are looked at to find the best few, which are then counted on more; 0: as many as they will be. On
  /// a torus the messages of all take far longer to add up.
  int at_first() const {
    return problem_.ranks > looked_at_count(problem_.ranks) && machine_.torus_dimensions == 0 ? 4 : 0;
  }

  /// Different choices of tiles may come to the same.
  static bool is_among(const Spread& spread, const std::vector<Spread>& others) {
    return std::any_of(others.begin(), others.end(), [&](const Spread& other) {
      return spread.phases == other.phases && spread.blocks == other.blocks && spread.c == other.c &&
             spread.a == other.a && spread.b == other.b;
    });
  }

  /// The first few, the first of them with the others as its rivals.
  std::vector<Spread> with_rivals(std::vector<Spread> found) const {
    found.resize(std::min(found.size(), shown + 1));
    for (std::size_t i = 1; i < found.size(); ++i) {
      found[0].rivals.push_back(
          {found[i].blocks, name_of_algorithm(problem_, found[i]), found[i].words, found[i].seconds});
    }
    return found;
  }

  /// Blocks that are not worth starting, and whose number makes counting them slow: they have less than 4 x 4 x 4
  /// products.
  bool is_too_fine(const Spread& spread) const {
    double blocks = 1;
    for (const symmetry::Unit& unit : problem_.fold.units) {
      const auto at = std::find(labels_.begin(), labels_.end(), unit.labels[0]) - labels_.begin();
      const double tiles = spread.blocks.tiles()[at];
      for (int i = 0; i < unit.degree(); ++i) blocks *= (tiles + i) / (i + 1);
    }
    return blocks > 4096 && problem_.fold.products() < 64 * blocks;
  }

  /// Where memory matters. What there is to choose from does not depend on how much of it there is, so that more of it
  /// never costs more time.
  std::vector<Spread> choose_lean() {
    std::vector<Spread> all =
        goal_.known ? goal_.known->find_or_make(problem_, [&] { return lean_ones(); }) : lean_ones();
    std::stable_sort(all.begin(), all.end(), [&](const Spread& x, const Spread& y) { return better(x, y); });
    const bool any_fits = all[0].buffers <= goal_.most_buffers;
    // A rough look never takes a way to be slower than it is: the fastest is among those that might be faster.
    double fastest = infinity;
    std::size_t count = 0;
    for (; count < (any_fits ? all.size() : 1); ++count) {
      Spread& spread = all[count];
      if (count > 0 && (spread.buffers > goal_.most_buffers || spread.seconds >= fastest)) break;
      measure_spread(problem_, machine_, spread);
      fastest = std::min(fastest, spread.seconds);
    }
    std::stable_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const Spread& x, const Spread& y) { return x.seconds < y.seconds; });
    if (goal_.closely) simulate({{&problem_, &all[0]}}, machine_);
    return with_rivals(std::move(all));
  }

  std::vector<Spread> lean_ones() {
    std::vector<Spread> all;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      set_parts(candidates_[i].parts);
      std::int64_t least = 0;  // buffers
      int in_vain = 0;         // how often more phases have not made it leaner
      for (const Variant& variant : variants()) {
        if (variant.phases == 1) in_vain = 0, least = std::numeric_limits<std::int64_t>::max();
        // Operands that are cut anew for more phases take more at first.
        if (in_vain > 2) continue;
        std::optional<Spread> spread = maker_.make_spread(variant);
        if (!spread || (variant.phases > 1 && cuts_finely(*spread))) continue;
        measure(*spread);
        in_vain = spread->if_lean.buffers < least / 100 * 97 ? 0 : in_vain + 1;
        least = std::min(least, spread->if_lean.buffers);
        Spread lean = *spread;
        make_lean(lean);
        all.push_back(std::move(*spread));
        all.push_back(std::move(lean));
      }
    }
    return all;
  }

  /// A spread that has been measured.
  static void make_lean(Spread& spread) {
    spread.lean = true;
    spread.buffers = spread.if_lean.buffers;
    spread.seconds = spread.if_lean.seconds;
  }

  Spread take_rival() {
    const auto number = static_cast<std::size_t>(goal_.rival);
    set_parts(candidates_[number % candidates_.size()].parts);
    std::vector<Spread> all;
    for (const Variant& variant : variants()) {
      if (std::optional<Spread> spread = maker_.make_spread(variant)) all.push_back(std::move(*spread));
    }
    Spread spread = std::move(all[number / candidates_.size() % all.size()]);
    measure(spread);
    constexpr Relay ways[] = {{}, {Relay::Way::tree, 1}, {Relay::Way::chain, 3}};
    const std::size_t way = number / candidates_.size() / all.size() % std::size(ways);
    spread.fetch[0] = ways[way];
    spread.fetch[1] = ways[(way + way) % std::size(ways)];
    spread.sums = way == 0 ? Relay::Way::direct : Relay::Way::tree;
    return spread;
  }

  /// The labels that are spread, in the order in which the grid has them: which ranks are neighbours along which label
  /// decides how much of the operands is where it is needed already. The best order of a few labels; all where a rival
  /// is asked for.
  std::vector<std::vector<std::size_t>> grid_orders() const {
    std::vector<std::size_t> order;
    for (const auto& [label, parts] : asked_for()) order.push_back(number_of(label));
    if (!order.empty()) return {order};
    for (std::size_t l = 0; l < labels_.size(); ++l) {
      if (parts_[l] > 1) order.push_back(l);
    }
    constexpr std::size_t most = 4;
    if (order.size() > most) return {order};
    std::vector<std::vector<std::size_t>> orders;
    double most_kept = -1;
    do {
      if (goal_.rival > 0) {
        orders.push_back(order);
        continue;
      }
      const double kept = estimate_.kept_in_place(order);
      if (kept > most_kept * (1 + 1e-9)) {
        most_kept = kept;
        orders.clear();
      }
      if (kept >= most_kept * (1 - 1e-9) && orders.size() < 6) orders.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    return orders;
  }

  /// So finely that starting the products takes longer than they do; and to count it all takes long, too.
  bool cuts_finely(const Spread& spread) const {
    constexpr double most = 1024;
    double blocks = 1;
    for (int tiles : spread.blocks.tiles()) blocks *= tiles;
    for (int parts : parts_) blocks /= parts;
    for (const symmetry::Unit& unit : problem_.fold.units) {
      for (int k = 2; k <= unit.degree(); ++k) blocks /= k;
    }
    return blocks > most;
  }

  static constexpr std::size_t shown = 3;  // of the rivals

  const SpreadProblem& problem_;
  const MachineModel& machine_;
  const SpreadGoal& goal_;
  SpreadEstimate estimate_;
  std::vector<int> labels_, parts_;
  SpreadMaker maker_;
  int phases_;  // at least
  std::vector<Deal> candidates_;
};

Search::Relays Search::best_relays(const RankCount& counted) const {
  Relays relays;
  const auto add = [&](const FanOut& fan_out, const Relay& relay, int times) {
    // That one rank gets it from each holder is counted with the words.
    const double alone = seconds_of({fan_out.bytes, fan_out.holders, 1}, {}, machine_);
    relays.seconds += times * (seconds_of(fan_out, relay, machine_) - alone);
  };
  for (int x : {0, 1}) {
    relays.fetch[x] = best_relay(counted.fetches[x], machine_);
    add(counted.fetches[x], relays.fetch[x], counted.phases);
  }
  relays.sums = best_relay(counted.sums, machine_);
  if (relays.sums.way == Relay::Way::chain) relays.sums = {Relay::Way::tree, 1};
  add(counted.sums, relays.sums, 1);
  return relays;
}

void Search::measure(Spread& spread, double enough, int ranks) const {
  const BlockContraction contraction = block_contraction(problem_, spread);
  TileSets sets(contraction);
  const layout::Distribution& output = *contraction.terms.c().distribution;
  const double fullest = static_cast<double>(output.largest_size()) * output.ranks() / output.copies() /
                         std::max(1.0, static_cast<double>(problem_.c.shape->stored_size()));
  const bool away = !problem_.c.layout || !(*problem_.c.layout == spread.c);
  std::optional<layout::Distribution> home;  // of an output that is made elsewhere
  if (away && problem_.c.layout) home.emplace(problem_.c.shape, *problem_.c.layout);
  const bool torus = machine_.torus_dimensions > 0;
  // Where one way of many is looked for, a few phases on two ranks will do.
  const bool roughly = goal_.most_buffers >= 0;
  const int count = roughly ? std::min(problem_.ranks, 2) : ranks > 0 ? ranks : looked_at_count(problem_.ranks);
  for (int i = 0; i < count && spread.seconds <= enough; ++i) {
    // Of some, the first one is the one that has most to do.
    const int rank = i == 0 && count < problem_.ranks ? busiest_rank(contraction) : looked_at(problem_.ranks, i);
    const RankCount counted = count_for_rank(contraction, rank, sets, roughly ? 8 : INT_MAX);
    const Relays relays = torus ? Relays{} : best_relays(counted);
    // Straight, partial sums go to the owners as the owners' shares are.
    const double partial = static_cast<double>(counted.partial) *
                           (relays.sums.way == Relay::Way::direct ? fullest : busiest_share(counted.sums, relays.sums));
    std::int64_t words = counted.fetched + static_cast<std::int64_t>(partial), buffers = counted.buffers;
    if (away) buffers += output.local(rank).size();
    const double copy_rounds = std::ceil(std::log2(output.copies()));  // down a tree
    if (output.copies() > 1) words += output.largest_size();
    if (home && (problem_.accumulate || problem_.c.stays)) {
      const std::int64_t common = common_elements(*home, output, rank);
      if (problem_.accumulate) words += output.local(rank).size() - common;
      if (problem_.c.stays) words += home->local(rank).size() - common;
    }
    spread.words = std::max(spread.words, words);
    spread.buffers = std::max(spread.buffers, buffers);
    spread.if_lean.buffers = std::max(spread.if_lean.buffers, buffers - counted.buffers + counted.lean_buffers);
    spread.messages = std::max(spread.messages, counted.messages);
    spread.products = std::max(spread.products, counted.products);
    const double here = estimate_.seconds({counted.products, counted.slowdown, counted.blocks,
                                           static_cast<double>(counted.touched), torus ? 0 : static_cast<double>(words),
                                           torus ? 0 : static_cast<double>(counted.messages) + copy_rounds});
    const double all = here + (torus ? 0 : relays.seconds);
    const double if_lean = all + estimate_.seconds({counted.products, counted.lean_slowdown}) -
                           estimate_.seconds({counted.products, counted.slowdown});
    spread.if_lean.seconds = std::max(spread.if_lean.seconds, if_lean);
    if (i > 0 && all <= spread.seconds) continue;
    spread.seconds = all;
    spread.fetch[0] = relays.fetch[0];
    spread.fetch[1] = relays.fetch[1];
    spread.sums = relays.sums.way;
  }
  spread.local = spread.seconds;
  // Messages share links there, those of other ranks among them.
  if (torus && spread.seconds <= enough) {
    const double traffic = SpreadTraffic(problem_, spread, sets, machine_).seconds(enough - spread.seconds);
    spread.seconds += traffic;
    spread.if_lean.seconds += traffic;
  }
  if (spread.lean) make_lean(spread);
}

}  // namespace

Spread choose_spread(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal) {
  return std::move(Search(problem, machine, goal).run()[0]);
}

std::vector<Spread> best_spreads(const SpreadProblem& problem, const MachineModel& machine, const SpreadGoal& goal) {
  return Search(problem, machine, goal).run();
}

double least_seconds(const SpreadProblem& problem, const MachineModel& machine) {
  return Search(problem, machine, {}).deals(1)[0].seconds;
}

void measure_spread(const SpreadProblem& problem, const MachineModel& machine, Spread& spread) {
  spread.words = spread.messages = spread.buffers = 0;
  spread.products = spread.seconds = spread.local = 0;
  spread.if_lean = {};
  Search(problem, machine, {}).measure(spread);
}

}  // namespace ricci::planning
