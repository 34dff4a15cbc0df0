#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "fusion/search.hpp"
#include "fusion/totals_search.hpp"

namespace ricci::fusion {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

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

SearchResult efficient_search(const Forest& forest, const Tree& tree, double limit_bytes,
                              const SearchOptions& options) {
  SearchResult result;
  std::map<std::string, double> least;  // by what is on disk: infinite where it does not fit
  for (const TotalsCandidate& candidate : candidates_by_totals(forest, tree, Totals::memory_and_disk)) {
    const auto known = least.emplace(disk_arrays(forest, tree, candidate.structure), unlimited).first;
    const double bound = least_seconds(forest, tree, candidate.structure, options.disk);
    if (result.best && bound >= result.best->seconds) {
      known->second = std::min(known->second, bound);
      continue;
    }
    ++result.candidates;
    std::optional<TiledTree> tiled = tile(forest, tree, candidate.structure, limit_bytes, options);
    if (!tiled) continue;
    known->second = std::min(known->second, tiled->seconds);
    if (!result.best || tiled->seconds < result.best->seconds) result.best = std::move(tiled);
  }
  if (result.best) least.erase(disk_arrays(forest, tree, result.best->structure));
  for (const auto& [what, seconds] : least) {
    result.rivals.push_back({what, seconds == unlimited ? "does not fit" : fmt::format("takes {:.4g} s", seconds)});
  }
  return result;
}

}  // namespace ricci::fusion
