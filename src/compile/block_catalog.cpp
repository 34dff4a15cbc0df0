#include "compile/block_catalog.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "layout/distribution.hpp"

namespace ricci::compile {

namespace {

symmetry::Shape shape_of_tiles(const symmetry::Shape& shape, const Cuts& cuts) {
  Extents counts;
  for (const auto& mode : cuts) counts.push_back(static_cast<std::int64_t>(mode.size()));
  Symmetry sorted;
  for (const SymmetryGroup& group : shape.symmetry().groups())
    sorted = sorted * Symmetry(SymmetryKind::symmetric, group.modes);
  return {counts, sorted};
}

/// The tile that an index is in.
std::int64_t tile_at(const std::vector<std::int64_t>& cuts, std::int64_t index) {
  return std::max<std::int64_t>(1, std::upper_bound(cuts.begin(), cuts.end(), index) - cuts.begin()) - 1;
}

}  // namespace

Cuts cuts_of(const Extents& extents, const std::vector<std::int64_t>& tile) {
  Cuts cuts(extents.size());
  for (std::size_t m = 0; m < extents.size(); ++m) {
    if (tile[m] < 1) throw InternalError("a tile without elements");
    for (std::int64_t first = 0; first < extents[m]; first += tile[m]) cuts[m].push_back(first);
  }
  return cuts;
}

std::int64_t size_of_tiles(std::int64_t extent, const std::vector<std::int64_t>& cuts) {
  if (cuts.size() < 2) return std::max<std::int64_t>(1, extent);
  const std::int64_t size = cuts[1];
  for (std::size_t t = 1; t < cuts.size(); ++t) {
    if (cuts[t] != static_cast<std::int64_t>(t) * size) return 0;
  }
  return extent - cuts.back() <= size ? size : 0;
}

std::int64_t largest_tile(std::int64_t extent, const std::vector<std::int64_t>& cuts) {
  std::int64_t largest = cuts.empty() ? 0 : extent - cuts.back();
  for (std::size_t t = 1; t < cuts.size(); ++t) largest = std::max(largest, cuts[t] - cuts[t - 1]);
  return largest;
}

std::int64_t blocks_of(const Cuts& cuts) {
  std::int64_t blocks = 1;
  for (const auto& mode : cuts) blocks *= static_cast<std::int64_t>(mode.size());
  return blocks;
}

Cuts common_refinement(const Cuts& a, const Cuts& b) {
  Cuts cuts(a.size());
  for (std::size_t m = 0; m < a.size(); ++m)
    std::set_union(a[m].begin(), a[m].end(), b[m].begin(), b[m].end(), std::back_inserter(cuts[m]));
  return cuts;
}

BlockCatalog::BlockCatalog(symmetry::Shape shape, Cuts cuts) : shape_(std::move(shape)), cuts_(std::move(cuts)) {
  for (const SymmetryGroup& group : shape_.symmetry().groups()) {
    for (int mode : group.modes) {
      if (cuts_[mode] != cuts_[group.modes[0]]) throw InternalError("modes of one group are cut differently");
    }
  }
  tiles_ = shape_of_tiles(shape_, cuts_);
}

std::vector<std::int64_t> BlockCatalog::tiles_of(std::int64_t number) const {
  symmetry::UniqueElements tiles(tiles_);
  tiles.seek(number);
  return {tiles.index().begin(), tiles.index().end()};
}

CanonicalBlock BlockCatalog::find(const std::vector<std::int64_t>& tiles) const {
  CanonicalBlock found{0, tiles, std::vector<int>(tiles.size()), 1};
  std::iota(found.order.begin(), found.order.end(), 0);
  for (const SymmetryGroup& group : shape_.symmetry().groups()) {
    std::vector<int> modes = group.modes;
    std::stable_sort(modes.begin(), modes.end(), [&](int x, int y) { return tiles[x] < tiles[y]; });
    int inversions = 0;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      for (std::size_t j = i + 1; j < modes.size(); ++j) inversions += modes[i] > modes[j] ? 1 : 0;
      found.tiles[group.modes[i]] = tiles[modes[i]];
      found.order[group.modes[i]] = modes[i];
    }
    if (group.kind == SymmetryKind::antisymmetric && inversions % 2 == 1) found.sign = -found.sign;
  }
  for (std::size_t m = 0; m < tiles.size(); ++m) {
    if (tiles[m] < 0 || tiles[m] >= tiles_.extents()[m])
      throw InternalError(fmt::format("there is no block {}", fmt::join(tiles, ",")));
  }
  found.number = symmetry::locate(tiles_, found.tiles).offset;
  return found;
}

Box BlockCatalog::box(const std::vector<std::int64_t>& tiles) const {
  Box result;
  for (std::size_t m = 0; m < tiles.size(); ++m) {
    const auto tile = static_cast<std::size_t>(tiles[m]);
    result.lo.push_back(cuts_[m][tile]);
    result.hi.push_back(tile + 1 < cuts_[m].size() ? cuts_[m][tile + 1] : shape_.extents()[m]);
  }
  return result;
}

symmetry::Shape BlockCatalog::block_shape(std::int64_t number) const {
  const std::vector<std::int64_t> tiles = tiles_of(number);
  const Box bounds = box(tiles);
  Extents extents;
  for (std::size_t m = 0; m < tiles.size(); ++m) extents.push_back(bounds.hi[m] - bounds.lo[m]);
  Symmetry symmetry;
  for (const SymmetryGroup& group : shape_.symmetry().groups()) {
    for (std::size_t first = 0; first < group.modes.size();) {
      std::size_t last = first + 1;
      while (last < group.modes.size() && tiles[group.modes[last]] == tiles[group.modes[first]]) ++last;
      if (last - first > 1)
        symmetry = symmetry * Symmetry(group.kind, {group.modes.begin() + static_cast<std::ptrdiff_t>(first),
                                                    group.modes.begin() + static_cast<std::ptrdiff_t>(last)});
      first = last;
    }
  }
  return {extents, symmetry};
}

double BlockCatalog::multiplicity(std::int64_t number) const {
  const std::vector<std::int64_t> tiles = tiles_of(number);
  double count = 1;
  for (const SymmetryGroup& group : shape_.symmetry().groups()) {
    std::int64_t equal = 0;
    for (std::size_t m = 0; m < group.modes.size(); ++m) {
      equal = m > 0 && tiles[group.modes[m]] == tiles[group.modes[m - 1]] ? equal + 1 : 1;
      count *= static_cast<double>(m + 1) / static_cast<double>(equal);
    }
  }
  return count;
}

Box BlockCatalog::tiles_touched(const Box& box) const {
  Box result;
  for (std::size_t m = 0; m < cuts_.size(); ++m) {
    result.lo.push_back(tile_at(cuts_[m], box.lo[m]));
    result.hi.push_back(box.hi[m] > box.lo[m] ? tile_at(cuts_[m], box.hi[m] - 1) + 1 : result.lo.back());
  }
  return result;
}

bool BlockCatalog::is_block(const Box& box) const {
  const Box tiles = tiles_touched(box);
  for (std::size_t m = 0; m < cuts_.size(); ++m) {
    if (tiles.hi[m] != tiles.lo[m] + 1) return false;
  }
  return this->box(tiles.lo) == box;
}

std::vector<std::int64_t> share_of_blocks(const BlockCatalog& catalog, int ranks, int rank) {
  std::map<std::string, std::int64_t> known;
  std::vector<std::int64_t> result;
  for (std::int64_t n = 0; n < catalog.blocks(); ++n) {
    const auto shape = std::make_shared<const symmetry::Shape>(catalog.block_shape(n));
    std::string key = fmt::format("{}", fmt::join(shape->extents(), ","));
    for (const SymmetryGroup& group : shape->symmetry().groups())
      key += fmt::format(" {}", fmt::join(group.modes, ","));
    const auto [it, fresh] = known.try_emplace(key, 0);
    if (fresh) {
      const layout::Distribution distribution(shape, layout::default_layout(*shape, ranks));
      it->second = distribution.local(rank).size();
    }
    result.push_back(it->second);
  }
  return result;
}

}  // namespace ricci::compile
