#include "plan/spread_maker.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "plan/longest_labels.hpp"
#include "plan/spread_estimate.hpp"

namespace ricci::planning {

using symmetry::Role;

std::optional<Spread> SpreadMaker::make_spread(const Variant& variant) const {
  const Tiles how = variant.tiles;
  Spread spread;
  spread.labels = labels_;
  spread.phases = variant.phases;
  std::vector<int> grid;
  std::vector<std::vector<int>> dims_of(labels_.size());
  int used = 1;
  for (std::size_t l : variant.order) {
    for (int extent : grid_extents(l)) {
      dims_of[l].push_back(static_cast<int>(grid.size()));
      grid.push_back(extent);
    }
    used *= parts_[l];
  }
  if (used < problem_.ranks || grid.empty()) grid.push_back(problem_.ranks / used);
  const std::vector<std::vector<int>> c_mapping = mapping_of(
      problem_.c, grid, dims_of, variant.sums_together ? std::numeric_limits<double>::infinity() : shortest_of_output);
  std::vector<int> tiles(problem_.extents.size(), 1);  // by class
  for (std::size_t l = 0; l < labels_.size(); ++l) need(tiles, labels_[l], parts_[l]);
  const bool as_they_are = how == Tiles::of_all || how == Tiles::of_output;
  const bool in_place = as_they_are && problem_.c.layout;
  if (how == Tiles::of_output && !in_place) return std::nullopt;
  if (!in_place) {
    for (std::size_t mode = 0; mode < c_mapping.size(); ++mode) {
      int ways = 1;
      for (int dim : c_mapping[mode]) ways *= grid[dim];
      need(tiles, problem_.c.labels[mode], ways);
    }
  }
  if (!as_they_are) {
    const bool changes = balance(tiles, c_mapping, how == Tiles::even);
    if (how == Tiles::even && !changes) return std::nullopt;
    if (!cut_for_phases(tiles, variant.phases)) return std::nullopt;
  } else {
    std::vector<const PlacedTensor*> kept{&problem_.c};
    if (how == Tiles::of_all) kept.insert(kept.end(), {&problem_.a, &problem_.b});
    if (!keep_tiles(tiles, kept)) return std::nullopt;
    const std::vector<int> in_tiles = tiles;
    if (!cut_for_phases(tiles, variant.phases)) return std::nullopt;
    for (int label : problem_.c.labels) {
      if (in_place && tiles_of(tiles, label) != tiles_of(in_tiles, label)) return std::nullopt;
    }
  }
  std::vector<std::vector<int>> blocks;
  std::vector<int> block_tiles, c_tiles;
  for (std::size_t l = 0; l < labels_.size(); ++l) {
    blocks.push_back(dims_of[l]);
    block_tiles.push_back(tiles_of(tiles, labels_[l]));
  }
  for (int label : problem_.c.labels) c_tiles.push_back(tiles_of(tiles, label));
  spread.blocks = Layout(Grid(grid), std::move(blocks), std::move(block_tiles));
  spread.c = in_place ? *problem_.c.layout : Layout(Grid(grid), c_mapping, std::move(c_tiles));
  spread.a = operand_layout(problem_.a, grid, dims_of, tiles);
  spread.b = operand_layout(problem_.b, grid, dims_of, tiles);
  return spread;
}

std::vector<int> SpreadMaker::grid_extents(std::size_t l) const {
  const std::vector<int>& output = problem_.c.labels;
  const int parts = parts_[l];
  const bool is_summed = std::find(output.begin(), output.end(), labels_[l]) == output.end();
  if (asked_for_ || !is_summed || output.size() < 2) return {parts};
  return dimensions_of_sum(parts);
}

Layout SpreadMaker::operand_layout(const PlacedTensor& tensor, const std::vector<int>& grid,
                                   const std::vector<std::vector<int>>& dims_of, const std::vector<int>& tiles) const {
  if (!tensor.shape) return {};
  if (tensor.layout) return *tensor.layout;
  const std::vector<std::vector<int>> mapping = mapping_of(tensor, grid, dims_of, 1);
  std::vector<int> counts(tensor.labels.size(), 1);
  for (const symmetry::StorageDim& dim : tensor.shape->dims()) {
    int ways = 1;
    for (int mode : dim.modes) {
      int here = 1;
      for (int grid_dim : mapping[mode]) here *= grid[grid_dim];
      ways = std::lcm(ways, here);
    }
    const int label = tensor.labels[dim.modes[0]];
    int count = ways;
    if (dim.grouped()) {
      const int enough = ways > 1 ? ways * tiles_of_a_part(static_cast<int>(dim.modes.size())) : 1;
      count = std::lcm(tiles_of(tiles, label), ways);
      if (count < enough) count = enough;
    }
    const std::int64_t extent = std::max<std::int64_t>(1, problem_.extents[label]);
    for (int mode : dim.modes) counts[mode] = static_cast<int>(std::min<std::int64_t>(count, extent));
  }
  return Layout(Grid(grid), mapping, std::move(counts));
}

bool SpreadMaker::balance(std::vector<int>& tiles, const std::vector<std::vector<int>>& c_mapping, bool output) const {
  std::vector<int> factor(tiles.size(), 1);
  const auto raise = [&](int label, std::size_t degree, bool is_spread) {
    if (!is_spread || degree < 2) return;
    int& here = factor[classes_.find(label)];
    here = std::max(here, tiles_of_a_part(static_cast<int>(degree)));
  };
  for (const symmetry::Unit& unit : problem_.fold.units) {
    const bool is_spread =
        std::any_of(unit.labels.begin(), unit.labels.end(), [&](int label) { return parts_of(label) > 1; });
    raise(unit.labels[0], unit.labels.size(), is_spread);
  }
  const std::vector<int> for_blocks = factor;
  for (const symmetry::StorageDim& dim : problem_.c.shape->dims()) {
    const bool is_spread =
        output && std::any_of(dim.modes.begin(), dim.modes.end(), [&](int mode) { return !c_mapping[mode].empty(); });
    raise(problem_.c.labels[dim.modes[0]], dim.modes.size(), is_spread);
  }
  for (std::size_t label = 0; label < tiles.size(); ++label) tiles[label] *= factor[label];
  return factor != for_blocks;
}

bool SpreadMaker::cut_for_phases(std::vector<int>& tiles, int phases) const {
  if (phases == 1) return true;
  int longest = -1;
  for (const symmetry::Unit& unit : problem_.fold.units) {
    for (int label : unit.labels) {
      if (unit.role != Role::summed) continue;
      if (longest < 0 || problem_.extents[label] > problem_.extents[longest]) longest = label;
    }
  }
  if (longest < 0) return false;
  int& count = tiles[classes_.find(longest)];
  count *= phases;
  return count <= problem_.extents[longest];
}

void SpreadMaker::need(std::vector<int>& tiles, int label, int ways) const {
  int& count = tiles[classes_.find(label)];
  count = std::lcm(count, ways);
}

int SpreadMaker::tiles_of(const std::vector<int>& tiles, int label) const {
  const std::int64_t extent = std::max<std::int64_t>(1, problem_.extents[label]);
  return static_cast<int>(std::min<std::int64_t>(tiles[classes_.find(label)], extent));
}

bool SpreadMaker::keep_tiles(std::vector<int>& tiles, const std::vector<const PlacedTensor*>& tensors) const {
  std::vector<int> have(tiles.size(), 0);
  for (const PlacedTensor* tensor : tensors) {
    if (!tensor->shape || !tensor->layout) continue;
    const layout::Distribution distribution(tensor->shape, *tensor->layout);
    for (std::size_t mode = 0; mode < tensor->labels.size(); ++mode) {
      const int dim = tensor->shape->dim_of_mode(static_cast<int>(mode));
      const int count = static_cast<int>(distribution.units()[dim].tiling().count());
      int& known = have[classes_.find(tensor->labels[mode])];
      if (known != 0 && known != count) return false;
      known = count;
    }
  }
  for (int label : labels_) {
    const int cls = classes_.find(label);
    const std::int64_t wanted = std::min<std::int64_t>(tiles[cls], std::max<std::int64_t>(1, problem_.extents[label]));
    if (have[cls] != 0 && have[cls] % wanted != 0) return false;
  }
  for (int label : labels_) {
    const int cls = classes_.find(label);
    if (have[cls] != 0) tiles[cls] = have[cls];
  }
  return true;
}

std::vector<std::vector<int>> SpreadMaker::mapping_of(const PlacedTensor& tensor, const std::vector<int>& grid,
                                                      const std::vector<std::vector<int>>& dims_of,
                                                      double shortest) const {
  std::vector<std::vector<int>> mapping(tensor.labels.size());
  std::vector<double> lengths;
  std::vector<bool> taken(grid.size(), false);
  for (std::size_t mode = 0; mode < tensor.labels.size(); ++mode) {
    lengths.push_back(static_cast<double>(problem_.extents[tensor.labels[mode]]));
    const std::size_t l =
        static_cast<std::size_t>(std::find(labels_.begin(), labels_.end(), tensor.labels[mode]) - labels_.begin());
    for (int dim : dims_of[l]) {
      if (taken[dim]) continue;
      taken[dim] = true;
      mapping[mode].push_back(dim);
    }
  }
  deal_left_over(mapping, std::move(lengths), grid, shortest);
  return mapping;
}

}  // namespace ricci::planning
