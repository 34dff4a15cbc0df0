#include "plan/sequence.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "layout/distribution.hpp"

namespace ricci::planning {

namespace {

using PlanPointer = std::shared_ptr<const DistributedPlan>;
using Plans = std::vector<PlanPointer>;  // null: every rank does everything

/// Where a statement wants tensors to be: [tensor].
using Wishes = std::map<int, Layout>;

class SequencePlanner {
 public:
  SequencePlanner(const Sequence& sequence, const MachineModel& machine) : sequence_(sequence), machine_(machine) {}

  std::vector<std::optional<DistributedPlan>> run() {
    std::vector<Wishes> wishes(sequence_.statements.size());
    Outcome best = try_out(wishes);
    // Alone and run once, a statement gains nothing by moving first what it could fetch.
    if (sequence_.statements.size() * static_cast<std::size_t>(sequence_.runs) < 2) return copies(best.plans);
    for (std::size_t s = 0; s < sequence_.statements.size(); ++s) {
      // With a numbered rival or a memory limit a statement takes its tensors where they are.
      if (!best.plans[s] || !may_wish(s)) continue;
      for (const std::set<int>& moved : choices(s)) {
        if (!best.plans[s]) break;  // with what was moved before, everything is whole
        for (const std::vector<Wishes>& others : with_operands(wishes, s, moved, best)) {
          Outcome outcome = try_out(others);
          if (outcome.seconds >= best.seconds * (1 - least_gain)) continue;
          best = std::move(outcome);
          wishes = others;
        }
      }
    }
    return copies(best.plans);
  }

 private:
  static constexpr double least_gain = 1e-3;    // of the whole sequence; below, nothing is moved for it
  static constexpr double worth_trying = 2e-3;  // of a statement

  struct Outcome {
    Plans plans;
    std::vector<std::vector<Layout>> before;  // [statement][tensor]
    double seconds = 0;                       // of all runs
  };

  static std::vector<std::optional<DistributedPlan>> copies(const Plans& plans) {
    std::vector<std::optional<DistributedPlan>> result;
    for (const PlanPointer& plan : plans) {
      if (plan) {
        result.emplace_back(*plan);
      } else {
        result.emplace_back();
      }
    }
    return result;
  }

  const SequenceStatement& statement(std::size_t s) const { return sequence_.statements[s]; }
  bool may_wish(std::size_t s) const { return sequence_.goals[s].rival == 0 && sequence_.goals[s].most_buffers < 0; }
  int output_of(std::size_t s) const { return statement(s).tensors[0]; }
  bool reads(std::size_t s, int tensor) const {
    const auto& tensors = statement(s).tensors;
    return std::find(tensors.begin() + 1, tensors.end(), tensor) != tensors.end();
  }

  /// Operands that may be moved: each by itself, and all together.
  std::vector<std::set<int>> choices(std::size_t s) const {
    std::set<int> all;
    for (std::size_t slot = 1; slot < statement(s).tensors.size(); ++slot) {
      const int tensor = statement(s).tensors[slot];
      if (!sequence_.tensors[tensor].stays && tensor != output_of(s)) all.insert(tensor);
    }
    std::vector<std::set<int>> result;
    if (all.size() > 1) result.push_back(all);
    for (int tensor : all) result.push_back({tensor});
    return result;
  }

  /// The wishes with these operands of a statement where it would have them, if they could be anywhere.
  std::vector<std::vector<Wishes>> with_operands(const std::vector<Wishes>& wishes, std::size_t s,
                                                 const std::set<int>& moved, const Outcome& now) {
    std::vector<Place> places = places_of(s, now.before[s], wishes[s]);
    std::map<int, std::size_t> slot_of;
    for (std::size_t slot = 1; slot < places.size(); ++slot) {
      const int tensor = statement(s).tensors[slot];
      if (moved.count(tensor) == 0 || !slot_of.emplace(tensor, slot).second) continue;
      places[slot].wish = Place::Wish::anywhere;
    }
    const DistributedPlan& ideal = *plan_once(s, places);
    if (ideal.seconds() >= now.plans[s]->seconds() * (1 - worth_trying)) return {};
    std::vector<Wishes> here = wishes, early = wishes, made = wishes;
    for (const auto& [tensor, slot] : slot_of) {
      const Layout& layout = ideal.layouts[slot];
      here[s].insert_or_assign(tensor, layout);
      const std::size_t reader = may_wish(first_reader(s, tensor)) ? first_reader(s, tensor) : s;
      const std::size_t maker = maker_of(s, tensor).value_or(reader);
      early[reader].insert_or_assign(tensor, layout);
      made[may_wish(maker) ? maker : reader].insert_or_assign(tensor, layout);
    }
    std::vector<std::vector<Wishes>> result{here};
    if (early != here) result.push_back(early);
    if (made != early) result.push_back(made);
    return result;
  }

  /// The statement that writes what statement s reads, if it is one that only writes it.
  std::optional<std::size_t> maker_of(std::size_t s, int tensor) const {
    while (s-- > 0) {
      if (output_of(s) != tensor) continue;
      if (!statement(s).local.statement.overwrite || reads(s, tensor)) return std::nullopt;
      return s;
    }
    return std::nullopt;
  }

  /// The first statement that reads what statement s reads.
  std::size_t first_reader(std::size_t s, int tensor) const {
    std::size_t first = s;
    while (s-- > 0) {
      if (output_of(s) == tensor) break;
      if (reads(s, tensor)) first = s;
    }
    return first;
  }

  std::vector<Place> places_of(std::size_t s, const std::vector<Layout>& where, const Wishes& wishes) const {
    std::vector<Place> places;
    for (int tensor : statement(s).tensors) {
      Place place{where[tensor]};
      const auto wish = wishes.find(tensor);
      if (wish != wishes.end()) {
        place.wish = Place::Wish::in_layout;
        place.wanted = wish->second;
      }
      const auto& tensors = statement(s).tensors;
      place.first_slot = static_cast<int>(std::find(tensors.begin(), tensors.end(), tensor) - tensors.begin());
      places.push_back(std::move(place));
    }
    return places;
  }

  /// Where everything is whole, every rank does everything.
  bool is_whole(std::size_t s, const std::vector<Layout>& where) const {
    return std::all_of(statement(s).tensors.begin(), statement(s).tensors.end(), [&](int tensor) {
      return layout::Distribution(sequence_.tensors[tensor].shape, where[tensor]).is_whole();
    });
  }

  Outcome try_out(const std::vector<Wishes>& wishes) {
    Outcome outcome;
    std::vector<Layout> where;
    for (const SequenceTensor& tensor : sequence_.tensors) where.push_back(tensor.layout);
    double work = 0;
    for (std::size_t s = 0; s < sequence_.statements.size(); ++s) {
      outcome.before.push_back(where);
      outcome.plans.emplace_back();
      if (wishes[s].empty() && is_whole(s, where)) continue;
      const PlanPointer plan = plan_once(s, places_of(s, where, wishes[s]));
      leave(s, *plan, where);
      work += plan->seconds();
      outcome.plans.back() = plan;
    }
    std::vector<Layout> again;
    for (const SequenceTensor& tensor : sequence_.tensors) again.push_back(tensor.layout);
    const double first = seconds_of_moves(outcome.plans, again), later = seconds_of_moves(outcome.plans, again);
    outcome.seconds = first + (sequence_.runs - 1) * later + sequence_.runs * work;
    return outcome;
  }

  /// Where a statement leaves its tensors.
  void leave(std::size_t s, const DistributedPlan& plan, std::vector<Layout>& where) const {
    for (std::size_t slot = 1; slot < plan.layouts.size(); ++slot)
      where[statement(s).tensors[slot]] = plan.layouts[slot];
    where[output_of(s)] = plan.output;
  }

  /// Of a run that begins with the tensors where they are; it leaves them elsewhere, perhaps.
  double seconds_of_moves(const Plans& plans, std::vector<Layout>& where) const {
    double seconds = 0;
    for (std::size_t s = 0; s < plans.size(); ++s) {
      if (!plans[s]) continue;
      const DistributedPlan& plan = *plans[s];
      std::set<int> seen;
      for (std::size_t slot = output_is_only_written(plan.local) ? 1 : 0; slot < plan.layouts.size(); ++slot) {
        const int tensor = statement(s).tensors[slot];
        if (!seen.insert(tensor).second) continue;
        seconds += move_cost(sequence_.tensors[tensor].shape, where[tensor], plan.layouts[slot],
                             element_size(plan.local.statement.type), machine_)
                       .seconds;
      }
      leave(s, plan, where);
    }
    return seconds;
  }

  PlanPointer plan_once(std::size_t s, const std::vector<Place>& places) {
    std::ostringstream key;
    key << s;
    for (const Place& place : places) {
      key << '|' << place.layout << ' ' << static_cast<int>(place.wish);
      if (place.wish == Place::Wish::in_layout) key << ' ' << place.wanted;
    }
    const auto known = plans_.find(key.str());
    if (known != plans_.end()) return known->second;
    const bool stays = sequence_.tensors[output_of(s)].stays;
    auto plan = std::make_shared<const DistributedPlan>(
        plan_distributed(statement(s).local, places, stays, sequence_.ranks, machine_, sequence_.goals[s]));
    return plans_.emplace(key.str(), std::move(plan)).first->second;
  }

  const Sequence& sequence_;
  const MachineModel& machine_;
  std::map<std::string, PlanPointer> plans_;
};

}  // namespace

std::vector<std::optional<DistributedPlan>> plan_sequence(const Sequence& sequence, const MachineModel& machine) {
  return SequencePlanner(sequence, machine).run();
}

}  // namespace ricci::planning
