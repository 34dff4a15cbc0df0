#pragma once
// What to look for where the fastest plan of a statement does not fit into the memory of a rank.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "plan/spread.hpp"

namespace ricci::planning {

/// What came of a goal.
struct TriedGoal {
  std::int64_t needed = 0;   // bytes, on the rank that needs most
  std::int64_t buffers = 0;  // elements of the node that has most, as the search counts them
  double seconds = 0;
};

/// Elements: an eighth more from rung to rung, from 1024 on. They do not depend on the limit, so that a larger
/// limit never ends with a slower plan.
inline std::int64_t rung_of_buffers(int number) { return static_cast<std::int64_t>(1024 * std::pow(1.125, number)); }

/// What to look for where `goal` needs more bytes than the limit; nothing where the leanest plan needs more, too. Else
/// as much for buffers as there can be. Where tensors may be moved first (`moves`), which is not looked at for these,
/// also the fastest plans in as few phases as will do. try_out(goal) plans, and says what came of it.
template <class F>
std::optional<SpreadGoal> choose_lean_goal(SpreadGoal goal, std::int64_t limit, std::size_t element_size, bool moves,
                                           F try_out) {
  goal.rival = 0;
  goal.most_buffers = 0;
  TriedGoal best = try_out(goal);
  if (best.needed > limit) return std::nullopt;
  SpreadGoal choice = goal;
  // The search may count an output that is nowhere yet among the buffers, the plan among the tensors.
  int low = 0;
  while (rung_of_buffers(low + 1) <= best.buffers) ++low;
  int high = low + 1;
  while (rung_of_buffers(high - 1) < 2 * limit / static_cast<std::int64_t>(element_size)) ++high;
  for (int middle = high - 1; high - low > 1; middle = (low + high) / 2) {
    goal.most_buffers = rung_of_buffers(middle);
    const TriedGoal tried = try_out(goal);
    (tried.needed <= limit ? low : high) = middle;
    if (tried.needed > limit) continue;
    best = tried;
    choice = goal;
  }
  goal.most_buffers = -1;
  constexpr int most_phases = 8;
  bool done = !moves;
  for (goal.phases = 1; !done && goal.phases <= most_phases; goal.phases *= 2) {
    for (const bool lean : {false, true}) {
      goal.lean = lean;
      const TriedGoal tried = try_out(goal);
      if (tried.needed > limit) continue;
      done = done || !lean;
      if (tried.seconds >= best.seconds) continue;
      best = tried;
      choice = goal;
    }
  }
  return choice;
}

}  // namespace ricci::planning
