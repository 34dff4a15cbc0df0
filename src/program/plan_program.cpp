#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "compile/factorise.hpp"
#include "compile/lifetimes.hpp"
#include "compile/lower_program.hpp"
#include "compile/minimise_operations.hpp"
#include "exec/overhead.hpp"
#include "program/place_and_plan.hpp"
#include "program/program_plan.hpp"

namespace ricci::program {

namespace {

/// The operations of a program, whatever the memory.
ProgramPlan lowered(notation::Program program, int ranks, const Options& options, GivenOnDisk given_on_disk) {
  ProgramPlan plan;
  plan.program = std::move(program);
  plan.options = options;
  plan.given_on_disk = std::move(given_on_disk);
  plan.ranks = ranks;
  plan.written = compile::lower_program(plan.program);
  const compile::Formula formula = compile::minimise_operations(compile::factorise(plan.written));
  plan.formula = compile::release_early(formula, arrays_of_role(plan, formula, notation::Role::output));
  return plan;
}

constexpr double cautions[] = {1, 2, 4, 8};

/// Operations are planned one after the other, and those that come first do not know what the last ones need: where
/// they leave them too little, all is planned again with more thrift.
Attempt attempt(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t limit,
                StatementSeconds& statements, Thrift thrift = {}) {
  Attempt result;
  for (const double copies : cautions) {
    thrift.copies = copies;
    Attempt one = place_and_plan(lowered, machine, limit, thrift, statements);
    if (one.plan) return one;
    if (result.needed == 0 || one.needed < result.needed) result.needed = one.needed;
  }
  return result;
}

/// The first that fits, unless that takes many times what it would take in memory: then the best of those that leave
/// more and more of the memory unused. What does not fit so may fit in less, where other arrays go to disk.
Attempt best_attempt(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t limit,
                     StatementSeconds& statements) {
  constexpr double many = 4, soon = 10, step = 0.9, least_share = 0.35;  // planning takes seconds, too
  Attempt best = attempt(lowered, machine, limit, statements);
  if (limit == 0) return best;
  const auto in_memory = [&] { return place_and_plan(lowered, machine, 0, {}, statements).plan->seconds; };
  if (best.plan && best.plan->seconds <= std::max(soon, many * in_memory())) return best;
  for (double share = step; share > least_share; share *= step) {
    Thrift thrift{.share = share, .gives_up = true};
    if (best.plan) thrift.enough = best.plan->seconds;
    Attempt other = attempt(lowered, machine, limit, statements, thrift);
    if (other.plan && other.plan->seconds < thrift.enough) best.plan = std::move(other.plan);
  }
  return best;
}

/// A limit that will do, where this one does not, and a little less of which does not either.
std::int64_t least_limit(const ProgramPlan& lowered, const MachineModel& machine, std::int64_t too_little,
                         std::int64_t enough, StatementSeconds& statements) {
  constexpr double close = 1.02;
  const auto does = [&](std::int64_t limit) {
    return std::any_of(std::begin(cautions), std::end(cautions), [&](double copies) {
      return fits(lowered, machine, limit, {.copies = copies, .gives_up = true}, statements);
    });
  };
  while (!does(enough)) {
    too_little = enough;
    enough += enough / 2;
  }
  // Nothing runs in less than what a process takes for any statement.
  too_little = std::min(enough, std::max(too_little, exec::process_overhead(0, lowered.ranks)));
  while (static_cast<double>(enough) > close * static_cast<double>(too_little)) {
    const auto middle =
        static_cast<std::int64_t>(std::sqrt(static_cast<double>(too_little) * static_cast<double>(enough)));
    (does(middle) ? enough : too_little) = middle;
  }
  // Where arrays live depends on the limit, too: now and then less is enough after all.
  while (does(enough / 20 * 19)) enough = enough / 20 * 19;
  return enough;
}

}  // namespace

std::unique_ptr<const ProgramPlan> plan_program(notation::Program program, int ranks, const MachineModel& machine,
                                                const Options& options, GivenOnDisk given_on_disk) {
  const ProgramPlan plan = lowered(std::move(program), ranks, options, std::move(given_on_disk));
  StatementSeconds statements(ranks, machine, options);
  Attempt made = best_attempt(plan, machine, options.memory_limit, statements);
  if (made.plan) return std::move(made.plan);
  throw ResourceError(
      fmt::format("{}: the program needs {} bytes of memory on a rank at least, but the limit is {}; allow more, or "
                  "use more ranks",
                  plan.program.name, least_limit(plan, machine, options.memory_limit, made.needed, statements),
                  options.memory_limit));
}

}  // namespace ricci::program
