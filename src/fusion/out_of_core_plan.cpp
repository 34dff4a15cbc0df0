#include "fusion/out_of_core_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "fusion/verify_loops.hpp"

namespace ricci::fusion {

namespace {

SearchOptions search_options(const OutOfCoreOptions& options, const DiskModel& disk) {
  SearchOptions result;
  result.lower.read_ahead = options.read_ahead;
  result.lower.write_behind = options.write_behind;
  result.tiles.least_tile = options.least_tile;
  result.tiles.tolerance = options.tolerance;
  result.disk = disk;
  result.most_fused = options.most_fused;
  return result;
}

/// Of inputs and results that are in memory from beginning to end.
double resident_bytes(const Forest& forest) {
  std::vector<bool> seen(forest.arrays.size(), false);
  double bytes = 0;
  for (const Tree& tree : forest.trees) {
    for (int v = 0; v <= tree.root(); ++v) {
      const Node& node = tree.nodes[static_cast<std::size_t>(v)];
      const bool outside = node.is_leaf() || v == tree.root();
      if (!outside || on_disk(forest, node) || seen[static_cast<std::size_t>(node.array)]) continue;
      seen[static_cast<std::size_t>(node.array)] = true;
      bytes += size_in_bytes(forest, node);
    }
  }
  return bytes;
}

SearchResult search(const Forest& forest, const Tree& tree, double limit, SearchKind kind, SearchOptions options) {
  const auto run = kind == SearchKind::optimal     ? optimal_search
                   : kind == SearchKind::efficient ? efficient_search
                                                   : decoupled_search;
  SearchResult result = run(forest, tree, limit, options);
  if (!result.best && options.tiles.least_tile > 1) {  // rather small tiles than none
    options.tiles.least_tile = 1;
    result = run(forest, tree, limit, options);
  }
  if (!result.best && (options.lower.read_ahead || options.lower.write_behind)) {  // rather one buffer than none
    options.lower = {};
    result = run(forest, tree, limit, options);
  }
  return result;
}

}  // namespace

LoopPlan plan_out_of_core(const Forest& forest, std::int64_t limit_bytes, const DiskModel& disk,
                          const OutOfCoreOptions& options) {
  check(forest);
  if (options.least_tile < 1)
    throw InputError(fmt::format("the least tile is {}; at least 1 is needed", options.least_tile));
  LoopPlan plan;
  plan.program.labels = forest.labels;
  plan.program.arrays = forest.arrays;
  const double limit = static_cast<double>(limit_bytes) - resident_bytes(forest);
  for (const Tree& tree : forest.trees) {
    SearchResult found = search(forest, tree, limit, options.search, search_options(options, disk));
    if (!found.best) {
      const std::string name = to_string(forest, tree.nodes.back());
      const std::int64_t least = least_memory(forest, options);
      throw ResourceError(
          least <= limit_bytes
              ? fmt::format("{} cannot be computed within {} bytes by the loops of this search; use the "
                            "optimal one, which needs {} bytes",
                            name, limit_bytes, least)
              : fmt::format("{} cannot be computed within {} bytes of memory; allow at least {} bytes", name,
                            limit_bytes, least));
    }
    plan.candidates += found.candidates;
    plan.exhaustive = plan.exhaustive && found.exhaustive;
    for (Rival& rival : found.rivals) plan.rivals.push_back(std::move(rival));
    append(plan.program, std::move(found.best->program));
  }
  verify(plan.program);
  plan.counts = count(plan.program);
  plan.seconds = seconds(plan.counts, disk);
  if (plan.counts.peak_bytes > limit_bytes)
    throw InternalError("a loop program takes more memory than its search allowed");
  return plan;
}

std::int64_t least_memory(const Forest& forest, const OutOfCoreOptions& options) {
  check(forest);
  SearchOptions search = search_options(options, {});
  search.tiles.least_tile = 1;
  search.lower = {};
  double least = 0;
  for (const Tree& tree : forest.trees) least = std::max(least, least_memory(forest, tree, search));
  return static_cast<std::int64_t>(least + resident_bytes(forest));
}

std::string to_string(const LoopPlan& plan) {
  std::string text = to_string(plan.program);
  text += fmt::format("{:<12}{:>16}{:>16}{:>12}{:>12}\n", "array", "bytes read", "bytes written", "reads", "writes");
  const auto row = [&](const std::string& name, const ArrayTraffic& traffic) {
    text += fmt::format("{:<12}{:>16}{:>16}{:>12}{:>12}\n", name, traffic.read_bytes, traffic.written_bytes,
                        traffic.reads, traffic.writes);
  };
  for (std::size_t a = 0; a < plan.counts.arrays.size(); ++a) {
    if (plan.counts.arrays[a] != ArrayTraffic{}) row(plan.program.arrays[a].name, plan.counts.arrays[a]);
  }
  row("all", plan.counts.total());
  text += fmt::format("peak {} bytes, disk {:.4g} s, {:.4g} flops, {} candidates{}\n", plan.counts.peak_bytes,
                      plan.seconds, plan.counts.flops, plan.candidates, plan.exhaustive ? "" : " (not all)");
  for (const Rival& rival : plan.rivals) text += fmt::format("rival: {}: {}\n", rival.what, rival.reason);
  return text;
}

}  // namespace ricci::fusion
