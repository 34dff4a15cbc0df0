#include "compile/block_catalog.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "layout/distribution.hpp"

namespace ricci::compile {

namespace {

/// Whether the tiles are sorted within each group.
bool is_canonical(const symmetry::Shape& shape, const std::vector<std::int64_t>& tiles) {
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    for (std::size_t m = 1; m < group.modes.size(); ++m) {
      if (tiles[group.modes[m - 1]] > tiles[group.modes[m]]) return false;
    }
  }
  return true;
}

bool next(std::vector<std::int64_t>& tiles, const std::vector<std::int64_t>& counts) {
  for (std::size_t m = tiles.size(); m-- > 0;) {
    if (++tiles[m] < counts[m]) return true;
    tiles[m] = 0;
  }
  return false;
}

}  // namespace

BlockCatalog::BlockCatalog(symmetry::Shape shape, std::vector<std::int64_t> tile)
    : shape_(std::move(shape)), tile_(std::move(tile)) {
  for (std::size_t m = 0; m < tile_.size(); ++m) {
    if (tile_[m] < 1) throw InternalError("a tile without elements");
    const std::int64_t extent = shape_.extents()[m];
    counts_.push_back((extent + tile_[m] - 1) / tile_[m]);
  }
  for (const SymmetryGroup& group : shape_.symmetry().groups()) {
    for (int mode : group.modes) {
      if (tile_[mode] != tile_[group.modes[0]]) throw InternalError("modes of one group are cut differently");
    }
  }
  if (std::find(counts_.begin(), counts_.end(), 0) != counts_.end()) return;  // nothing to cut
  std::vector<std::int64_t> tiles(counts_.size(), 0);
  do {
    if (!is_canonical(shape_, tiles)) continue;
    number_.emplace(tiles, static_cast<std::int64_t>(canonical_.size()));
    canonical_.push_back(tiles);
  } while (next(tiles, counts_));
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
  const auto known = number_.find(found.tiles);
  if (known == number_.end()) throw InternalError(fmt::format("there is no block {}", fmt::join(tiles, ",")));
  found.number = known->second;
  return found;
}

Box BlockCatalog::box(const std::vector<std::int64_t>& tiles) const {
  Box result;
  for (std::size_t m = 0; m < tiles.size(); ++m) {
    result.lo.push_back(tiles[m] * tile_[m]);
    result.hi.push_back(std::min(shape_.extents()[m], (tiles[m] + 1) * tile_[m]));
  }
  return result;
}

symmetry::Shape BlockCatalog::block_shape(std::int64_t number) const {
  const std::vector<std::int64_t>& tiles = tiles_of(number);
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
  const std::vector<std::int64_t>& tiles = tiles_of(number);
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
  for (std::size_t m = 0; m < tile_.size(); ++m) {
    result.lo.push_back(box.lo[m] / tile_[m]);
    result.hi.push_back((box.hi[m] + tile_[m] - 1) / tile_[m]);
  }
  return result;
}

bool BlockCatalog::is_block(const Box& box) const {
  for (std::size_t m = 0; m < tile_.size(); ++m) {
    const std::int64_t end = std::min(shape_.extents()[m], box.lo[m] + tile_[m]);
    if (box.lo[m] % tile_[m] != 0 || box.hi[m] != end) return false;
  }
  return true;
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
