#include "plan/block_mapping.hpp"

#include <algorithm>

namespace ricci::planning {

using symmetry::Fold;
using symmetry::Shape;

namespace {

/// Tiles as elements: each label has as many values as tiles, and tuples of tiles may repeat.
std::shared_ptr<const Shape> shape_of_blocks(const Fold& fold, const std::vector<int>& labels, const Layout& layout) {
  Extents extents(layout.tiles().begin(), layout.tiles().end());
  Symmetry symmetry;
  for (const symmetry::Unit& unit : fold.units) {
    if (unit.degree() < 2) continue;
    std::vector<int> modes;
    for (int label : unit.labels) {
      modes.push_back(static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin()));
    }
    std::sort(modes.begin(), modes.end());
    symmetry = symmetry * Symmetry(SymmetryKind::symmetric, modes);
  }
  return std::make_shared<const Shape>(std::move(extents), std::move(symmetry));
}

}  // namespace

BlockMapping::BlockMapping(const Fold& fold, std::vector<int> labels, Layout layout, std::size_t label_count)
    : label_count_(label_count) {
  const auto shape = shape_of_blocks(fold, labels, layout);
  distribution_ = std::make_shared<const layout::Distribution>(shape, std::move(layout));
  std::vector<Unit> units;
  for (const symmetry::StorageDim& dim : shape->dims()) {
    Unit unit;
    for (int mode : dim.modes) unit.labels.push_back(labels[mode]);
    const auto folded = std::find_if(fold.units.begin(), fold.units.end(), [&](const symmetry::Unit& candidate) {
      return std::find(candidate.labels.begin(), candidate.labels.end(), unit.labels[0]) != candidate.labels.end();
    });
    unit.role = folded->role;
    units.push_back(std::move(unit));
  }
  units_ = std::make_shared<const std::vector<Unit>>(std::move(units));
}

std::vector<int> BlockMapping::units_of(const TiledTensor& tensor) const {
  std::vector<int> result;
  for (std::size_t u = 0; u < units_->size(); ++u) {
    if (tensor.has((*units_)[u].labels[0])) result.push_back(static_cast<int>(u));
  }
  return result;
}

std::vector<int> BlockMapping::dims_of(const std::vector<int>& units) const {
  std::vector<int> dims;
  for (int u : units) {
    for (int mode : distribution_->shape().dims()[u].modes) {
      for (int dim : distribution_->layout().mapping()[mode]) dims.push_back(dim);
    }
  }
  return dims;
}

std::vector<int> BlockMapping::coordinates(int rank, const std::vector<int>& units) const {
  const std::vector<int> all = distribution_->coordinates(rank);
  std::vector<int> result = dims_of(units);
  for (int& dim : result) dim = all[dim];
  return result;
}

std::vector<int> BlockMapping::open_dims() const {
  std::vector<int> open;
  for (std::size_t u = 0; u < units_->size(); ++u) {
    if ((*units_)[u].role != symmetry::Role::summed) open.push_back(static_cast<int>(u));
  }
  return dims_of(open);
}

int BlockMapping::sharing(const TiledTensor& tensor) const {
  std::vector<int> others;
  for (std::size_t u = 0; u < units_->size(); ++u) {
    if (!tensor.has((*units_)[u].labels[0])) others.push_back(static_cast<int>(u));
  }
  int ranks = 1;
  for (int dim : dims_of(others)) ranks *= distribution_->layout().grid().extents()[dim];
  return ranks;
}

int BlockMapping::first_panel(int rank, int phases) const {
  const std::vector<int> at = distribution_->coordinates(rank), &grid = distribution_->layout().grid().extents();
  std::int64_t sum = 0;
  for (int dim : open_dims()) sum += std::int64_t{at[dim]} * phases / grid[dim];
  return static_cast<int>(sum % phases);
}

std::vector<int> BlockMapping::passing_on(int rank, int phases) const {
  const std::vector<int>& grid = distribution_->layout().grid().extents();
  std::vector<int> result;
  for (int dim : open_dims()) {
    if (grid[dim] != phases) continue;
    std::vector<int> at = distribution_->coordinates(rank);
    at[dim] = (at[dim] + 1) % grid[dim];
    result.push_back(distribution_->rank(at));
  }
  return result;
}

bool BlockMapping::works(int rank) const { return part(rank).works_; }

const BlockMapping::Part& BlockMapping::part(int rank) const {
  const auto known = parts_.find(rank);
  return known != parts_.end() ? known->second : parts_.emplace(rank, Part(*this, rank)).first->second;
}

BlockMapping::Part::Part(const BlockMapping& mapping, int rank) : units_(mapping.units_) {
  const layout::Distribution& distribution = *mapping.distribution_;
  const std::vector<int> at = distribution.coordinates(rank), &grid = distribution.layout().grid().extents();
  works_ = distribution.copy_of(rank) == 0;
  for (const layout::Unit& unit : distribution.units()) {
    if (unit.degree() > 1) {
      tiles_.push_back(unit.tiles_at(at));
    } else {
      std::int64_t here = 0, ways = 1;
      for (int dim : distribution.layout().mapping()[unit.modes()[0]]) {
        here = here * grid[dim] + at[dim];
        ways *= grid[dim];
      }
      const std::int64_t count = unit.tiling().count();
      auto& tiles = tiles_.emplace_back();
      for (std::int64_t tile = 0; tile < count; ++tile) {
        if (tile * ways / count == here) tiles.push_back({tile});
      }
    }
    works_ = works_ && !tiles_.back().empty();
  }
}

}  // namespace ricci::planning
