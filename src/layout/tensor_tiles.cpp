#include "layout/tensor_tiles.hpp"

#include <algorithm>

#include "symmetry/packed.hpp"

namespace ricci::layout {

TensorTiles::TensorTiles(const Distribution& distribution)
    : distribution_(&distribution), stride_(distribution.units().size(), 1) {
  const auto& units = distribution.units();
  for (std::size_t u = units.size(); u-- > 1;) {
    stride_[u - 1] = stride_[u] * *symmetry::packed_size(false, units[u].tiling().count(), units[u].degree());
  }
}

std::int64_t TensorTiles::number(const TileTuples& tile) const {
  std::int64_t number = 0;
  for (std::size_t u = 0; u < tile.size(); ++u) {
    number += stride_[u] * symmetry::rank_sorted(false, tile[u].data(), static_cast<int>(tile[u].size()));
  }
  return number;
}

TileTuple TensorTiles::unit_tile(std::size_t unit, std::int64_t rank) const {
  const int degree = distribution_->units()[unit].degree();
  TileTuple tuple(static_cast<std::size_t>(degree), rank);
  if (degree > 1) symmetry::unrank_sorted(false, rank, degree, tuple.data());
  return tuple;
}

TileTuples TensorTiles::tile(std::int64_t number) const {
  TileTuples tile;
  for (std::size_t u = 0; u < stride_.size(); ++u) {
    tile.push_back(unit_tile(u, number / stride_[u]));
    number %= stride_[u];
  }
  return tile;
}

bool TensorTiles::may_be_empty() const {
  const auto& units = distribution_->units();
  return std::any_of(units.begin(), units.end(), [](const Unit& unit) {
    return unit.tiling().size(unit.tiling().count() - 1) < (unit.strict() ? unit.degree() : 1);
  });
}

std::int64_t TensorTiles::size(const TileTuples& tile) const {
  std::int64_t size = 1;
  for (std::size_t u = 0; u < tile.size(); ++u) size *= distribution_->units()[u].size(tile[u]);
  return size;
}

int TensorTiles::owner(const TileTuples& tile) const {
  std::vector<int> at(distribution_->layout().grid().extents().size(), 0);
  for (std::size_t u = 0; u < tile.size(); ++u) distribution_->units()[u].locate(tile[u], at);
  return distribution_->rank(at);
}

int TensorTiles::source(const TileTuples& tile, int receiver) const {
  return distribution_->source(owner(tile), receiver);
}

std::int64_t TensorTiles::begin(const LocalTiles& tiles, const TileTuples& tile) const {
  std::vector<int> numbers;
  for (std::size_t u = 0; u < tile.size(); ++u) {
    numbers.push_back(tiles.find(u, tile[u]));
    if (numbers.back() < 0) return -1;
  }
  return tiles.begin(numbers);
}

TileShape TensorTiles::shape(const TileTuples& tile) const {
  TileShape result;
  Extents extents;
  Symmetry symmetry;
  for (std::size_t u = 0; u < tile.size(); ++u) {
    const Unit& unit = distribution_->units()[u];
    for (const TileRun& run : unit.runs(tile[u])) {
      std::vector<int> group;
      for (int k = run.first; k < run.first + run.degree; ++k) {
        group.push_back(static_cast<int>(result.modes.size()));
        result.modes.push_back(unit.modes()[k]);
        extents.push_back(unit.tiling().size(run.tile));
      }
      if (run.degree > 1) symmetry = symmetry * Symmetry(distribution_->shape().dims()[u].kind, group);
    }
  }
  result.shape = symmetry::Shape(std::move(extents), std::move(symmetry));
  return result;
}

}  // namespace ricci::layout
