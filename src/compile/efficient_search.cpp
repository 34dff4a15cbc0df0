#include <fmt/format.h>

#include "compile/search.hpp"
#include "compile/totals_search.hpp"

namespace ricci::compile {

namespace {

double least_seconds(const Forest& forest, const Tree& tree, const LoopStructure& structure, const DiskModel& disk) {
  double seconds = 0;
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    if (!structure[v].on_disk) continue;
    const double bytes = size_in_bytes(forest, tree.nodes[v]);
    if (!tree.nodes[v].is_leaf()) seconds += bytes / disk.write_bytes_per_second;
    if (static_cast<int>(v) != tree.root()) seconds += bytes / disk.read_bytes_per_second;
  }
  return seconds;
}

}  // namespace

SearchResult efficient_search(const Forest& forest, const Tree& tree, double limit_bytes, const SearchOptions& options) {
  SearchResult result;
  for (const TotalsCandidate& candidate : candidates_by_totals(forest, tree, Totals::memory_and_disk)) {
    const std::string what = disk_arrays(forest, tree, candidate.structure);
    if (result.best && least_seconds(forest, tree, candidate.structure, options.disk) >= result.best->seconds) {
      result.rivals.push_back({what, fmt::format("takes {:.4g} s at least", least_seconds(forest, tree, candidate.structure, options.disk))});
      continue;
    }
    ++result.candidates;
    std::optional<TiledTree> tiled = tile(forest, tree, candidate.structure, limit_bytes, options);
    if (!tiled) {
      result.rivals.push_back({what, "does not fit"});
    } else if (result.best && result.best->seconds <= tiled->seconds) {
      result.rivals.push_back({what, fmt::format("takes {:.4g} s", tiled->seconds)});
    } else {
      if (result.best) {
        result.rivals.push_back({disk_arrays(forest, tree, result.best->structure), fmt::format("takes {:.4g} s", result.best->seconds)});
      }
      result.best = std::move(tiled);
    }
  }
  return result;
}

}  // namespace ricci::compile
