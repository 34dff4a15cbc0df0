#include <ostream>
#include <set>

#include <fmt/format.h>

#include "compile/parallel_disk_choice.hpp"

namespace ricci::compile::parallel_disk {

namespace {

std::string tiles_text(const ParallelDiskWay& way) {
  const Label last = roles_of(way.method.order).last;
  return fmt::format("{:.0f} {:.0f} {:.0f}, {}t2 {:.0f}", way.tiles.it1, way.tiles.jt1, way.tiles.kt1, letter(last),
                     way.tiles.inner(last));
}

std::string row(const ParallelDiskCase& c, const ParallelDiskWay& way) {
  if (!way.possible) return fmt::format("  {:<25} {}\n", name_of(way.method), way.reason);
  return fmt::format("  {:<25} {} {:>17} {:>10.5g} {:>10.5g} {:>10.5g} {:>10.5g} {:>10.5g}  {}\n", name_of(way.method),
                     name_of(way.method.order), tiles_text(way), way.volumes.communication,
                     way.volumes.disk_communication, way.volumes.disk_computation,
                     seconds_of(c, way.method, way.redistributed), way.seconds,
                     way.reason.empty() ? "chosen" : way.reason);
}

std::string closed_text(const ParallelDiskPlan& plan) {
  if (!plan.closed) return "  the tables have no closed form for this shape and order\n";
  return fmt::format("  closed form: Table {} {}<{}>, tiles {:.4g} {:.4g} {:.4g}; rounded up {:.5g} s\n",
                     plan.closed->table, name_of(plan.chosen.method.order) + " ", plan.closed->condition,
                     plan.closed->tiles.it1, plan.closed->tiles.jt1, plan.closed->tiles.kt1,
                     plan.rounded_closed->seconds);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ParallelDiskPlan& plan) {
  out << plan.problem << '\n';
  out << fmt::format("  {:<25} {} {:>17} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "elements a rank", "   ", "tiles I J K",
                     "V", "D1", "D2", "move sec.", "all sec.");
  out << row(plan.problem, plan.chosen);
  std::set<std::string> seen = {name_of(plan.chosen.method)};
  for (const ParallelDiskWay& way : plan.rivals) {
    if (seen.insert(name_of(way.method)).second) out << row(plan.problem, way);
  }
  return out << closed_text(plan) << plan.program();
}

}  // namespace ricci::compile::parallel_disk
