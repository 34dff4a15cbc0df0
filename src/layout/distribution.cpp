#include "layout/distribution.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::layout {

LocalTiles::LocalTiles(const std::vector<Unit>& units, std::span<const int> coordinates) {
  for (const Unit& unit : units) {
    tiles_.push_back(unit.tiles_at(coordinates));
    auto& sizes = sizes_.emplace_back();
    auto& before = before_.emplace_back();
    std::int64_t sum = 0;
    for (const TileTuple& tile : tiles_.back()) {
      before.push_back(sum);
      sizes.push_back(unit.size(tile));
      sum += sizes.back();
    }
    total_ *= sum;
    after_.push_back(sum);
  }
  // From the elements of each unit to those of all later ones.
  std::int64_t product = 1;
  for (std::size_t u = after_.size(); u-- > 0;) {
    const std::int64_t own = after_[u];
    after_[u] = product;
    product *= own;
  }
}

// All tiles before this one differ from it first in some unit u; there they are before it, in the units before u they
// are the same, and in those after u they are anything.
std::int64_t LocalTiles::begin(std::span<const int> numbers) const {
  std::int64_t begin = 0, same = 1;
  for (std::size_t u = 0; u < tiles_.size(); ++u) {
    begin += same * before_[u][numbers[u]] * after_[u];
    same *= sizes_[u][numbers[u]];
  }
  return begin;
}

int LocalTiles::find(std::size_t unit, const TileTuple& tile) const {
  const auto& tiles = tiles_[unit];
  const auto at = std::lower_bound(tiles.begin(), tiles.end(), tile);
  return at != tiles.end() && *at == tile ? static_cast<int>(at - tiles.begin()) : -1;
}

Distribution::Distribution(std::shared_ptr<const symmetry::Shape> shape, Layout layout)
    : shape_(std::move(shape)), layout_(std::move(layout)) {
  if (layout_.order() != shape_->order()) {
    throw InputError(fmt::format("the layout places {} modes, but the tensor has order {}; give one place a mode",
                                 layout_.order(), shape_->order()));
  }
  for (const symmetry::StorageDim& dim : shape_->dims()) units_.emplace_back(dim, layout_);
  const auto& grid = layout_.grid().extents();
  std::vector<bool> used(grid.size(), false);
  for (const auto& dims : layout_.mapping()) {
    for (int dim : dims) used[dim] = true;
  }
  for (std::size_t dim = 0; dim < grid.size(); ++dim) {
    ranks_ *= grid[dim];
    if (used[dim]) continue;
    copy_dims_.push_back(static_cast<int>(dim));
    copies_ *= grid[dim];
  }
}

std::vector<int> Distribution::coordinates(int rank) const {
  const auto& grid = layout_.grid().extents();
  std::vector<int> result(grid.size());
  for (std::size_t dim = grid.size(); dim-- > 0;) {
    result[dim] = rank % grid[dim];
    rank /= grid[dim];
  }
  return result;
}

int Distribution::rank(std::span<const int> coordinates) const {
  const auto& grid = layout_.grid().extents();
  int rank = 0;
  for (std::size_t dim = 0; dim < grid.size(); ++dim) rank = rank * grid[dim] + coordinates[dim];
  return rank;
}

int Distribution::copy_of(int rank) const {
  const auto at = coordinates(rank);
  int copy = 0;
  for (int dim : copy_dims_) copy = copy * layout_.grid().extents()[dim] + at[dim];
  return copy;
}

int Distribution::with_copy(int rank, int copy) const {
  if (copies_ == 1) return rank;
  auto at = coordinates(rank);
  for (std::size_t i = copy_dims_.size(); i-- > 0;) {
    const int extent = layout_.grid().extents()[copy_dims_[i]];
    at[copy_dims_[i]] = copy % extent;
    copy /= extent;
  }
  return this->rank(at);
}

int Distribution::source(int holder, int receiver) const {
  if (copies_ == 1) return holder;
  if (with_copy(holder, copy_of(receiver)) == receiver) return receiver;
  return with_copy(holder, receiver % copies_);
}

int Distribution::copies_served(int rank) const {
  const int copy = copy_of(rank);
  int count = 0;
  for (int served = 1; served < copies_; served *= 2) count += copy < served && copy + served < copies_;
  return count;
}

bool Distribution::is_as(const Layout& other) const {
  if (layout_ == other) return true;
  return layout_.grid() == other.grid() && layout_.mapping() == other.mapping() &&
         same_tiles(Distribution(shape_, other));
}

bool Distribution::is_whole() const {
  return copies_ == ranks_ &&
         std::all_of(units_.begin(), units_.end(), [](const Unit& unit) { return unit.tiling().count() == 1; });
}

LocalTiles Distribution::local(int rank) const { return LocalTiles(units_, coordinates(rank)); }

// Each unit is spread over grid dimensions of its own, so some rank has the most of every one of them.
std::int64_t Distribution::largest_size() const {
  std::int64_t largest = 1;
  for (const Unit& unit : units_) largest *= unit.largest_size();
  return largest;
}

int Distribution::owner(std::span<const std::int64_t> sorted_index) const {
  std::vector<int> at(layout_.grid().extents().size(), 0);
  TileTuple tile;
  for (const Unit& unit : units_) {
    tile.clear();
    for (int mode : unit.modes()) tile.push_back(unit.tiling().tile_of(sorted_index[mode]));
    unit.locate(tile, at);
  }
  return rank(at);
}

bool Distribution::same_tiles(const Distribution& other) const {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    if (!(units_[u].tiling() == other.units_[u].tiling())) return false;
  }
  return true;
}

// The largest prime factors first, each to the mode whose tiles are longest.
Layout default_layout(const symmetry::Shape& shape, int ranks) {
  if (shape.order() == 0) return Layout::replicated(0, ranks);
  std::vector<int> primes;
  for (int left = ranks, prime = 2; left > 1; ++prime) {
    for (; left % prime == 0; left /= prime) primes.push_back(prime);
  }
  std::reverse(primes.begin(), primes.end());
  std::vector<std::int64_t> length(shape.extents().begin(), shape.extents().end());
  std::vector<std::int64_t> ways(shape.order(), 1);
  for (int prime : primes) {
    const auto longest = std::max_element(length.begin(), length.end()) - length.begin();
    ways[longest] *= prime;
    length[longest] /= prime;
  }
  std::vector<int> grid;
  std::vector<std::vector<int>> mapping(shape.order());
  for (int mode = 0; mode < shape.order(); ++mode) {
    if (ways[mode] == 1) continue;
    mapping[mode] = {static_cast<int>(grid.size())};
    grid.push_back(static_cast<int>(ways[mode]));
  }
  if (grid.empty()) grid.push_back(1);
  return Layout(Grid(std::move(grid)), std::move(mapping));
}

}  // namespace ricci::layout
