#include "compile/parallel_disk_choice.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace ricci::compile::parallel_disk {

namespace {

ParallelDiskWay make_way(const ParallelDiskCase& c, const ParallelDiskMethod& method,
                         const ConstrainedArrays& constraints) {
  ParallelDiskWay way{.method = method, .resident = {}, .tiles = {}, .volumes = {}, .redistributed = {}, .reason = {}};
  if (method.algorithm == ParallelAlgorithm::rotation && !c.grid_side()) {
    way.possible = false;
    way.seconds = std::numeric_limits<double>::infinity();
    way.reason = fmt::format("needs a square number of ranks, not {}", c.ranks);
    return way;
  }
  const RefinedTiles refined = refine(c, method);
  way.resident = refined.resident;
  way.tiles = refined.tiles;
  way.volumes = refined.volumes;
  way.redistributed = redistribution_of(c, method, refined.resident, constraints);
  way.seconds = refined.seconds + seconds_of(c, method, way.redistributed);
  return way;
}

std::string times(double mine, double best) {
  if (best == 0) return mine == 0 ? "the same" : "more than none";
  return fmt::format("{:.3g} times", mine / best);
}

std::string reason(const ParallelDiskWay& way, const ParallelDiskWay& best) {
  if (way.seconds == best.seconds) return "as fast";
  return fmt::format(
      "{} as long: disk {}, network {}", times(way.seconds, best.seconds),
      times(way.volumes.disk() + way.redistributed.disk(), best.volumes.disk() + best.redistributed.disk()),
      times(way.volumes.communication + way.redistributed.communication,
            best.volumes.communication + best.redistributed.communication));
}

}  // namespace

ParallelDiskPlan choose_parallel_disk(const ParallelDiskCase& c, const ConstrainedArrays& constraints) {
  check(c);
  check(constraints);
  std::vector<ParallelDiskWay> ways;
  for (const ParallelDiskMethod& method : all_methods()) ways.push_back(make_way(c, method, constraints));
  std::stable_sort(ways.begin(), ways.end(), [](const auto& x, const auto& y) { return x.seconds < y.seconds; });
  ParallelDiskPlan plan{.problem = c, .chosen = ways.front(), .closed = {}, .rounded_closed = {}, .rivals = {}};
  plan.closed = closed_form(c, plan.chosen.method);
  plan.rounded_closed = rounded_closed_form(c, plan.chosen.method, plan.chosen.resident);
  for (auto way = ways.begin() + 1; way != ways.end(); ++way) {
    if (way->possible) way->reason = reason(*way, plan.chosen);
    plan.rivals.push_back(std::move(*way));
  }
  return plan;
}

double ParallelDiskPlan::disk_bytes() const {
  return (chosen.volumes.disk() + chosen.redistributed.disk()) * problem.element_bytes;
}

double ParallelDiskPlan::communication_bytes() const {
  return (chosen.volumes.communication + chosen.redistributed.communication) * problem.element_bytes;
}

ParallelDiskProgram ParallelDiskPlan::program() const {
  return make_program(problem, chosen.method, chosen.resident, chosen.tiles);
}

}  // namespace ricci::compile::parallel_disk
