#include "plan/tile_terms.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "symmetry/cosets.hpp"
#include "symmetry/packed.hpp"

namespace ricci::planning {

using layout::TileTuple;
using symmetry::Fold;
using symmetry::Role;

namespace {

/// The kind of the group of a tensor that holds a label.
SymmetryKind group_kind(const TiledTensor& tensor, int label) {
  const auto& labels = tensor.labelled.labels;
  const int mode = static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  return tensor.labelled.shape->dims()[tensor.labelled.shape->dim_of_mode(mode)].kind;
}

/// The number of the stored twin of a tile.
std::int64_t stored_number(const TiledTensor& tensor, const std::vector<int>& labels, const layout::TensorTiles& all,
                           const std::vector<std::int64_t>& tiles) {
  const auto& dims = tensor.labelled.shape->dims();
  std::array<std::int64_t, symmetry::Shape::max_order> tuple;
  std::int64_t number = 0;
  for (std::size_t u = 0; u < dims.size(); ++u) {
    std::size_t degree = 0;
    for (int mode : dims[u].modes) tuple[degree++] = tiles[labels[mode]];
    if (degree > 1) std::sort(tuple.begin(), tuple.begin() + static_cast<std::ptrdiff_t>(degree));
    number +=
        all.stride(u) * (degree == 1 ? tuple[0] : symmetry::rank_sorted(false, tuple.data(), static_cast<int>(degree)));
  }
  return number;
}

/// The labels of a reading, those of a unit permuted.
std::vector<int> arranged(std::vector<int> labels, const std::vector<int>& unit, const symmetry::SignedPermutation& g) {
  for (int& label : labels) {
    const auto at = std::find(unit.begin(), unit.end(), label);
    if (at != unit.end()) label = unit[g.image[at - unit.begin()]];
  }
  return labels;
}

bool all_in_one(const std::vector<int>& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](int block) { return block == blocks[0]; });
}

double factorial(std::size_t n) { return n < 2 ? 1 : static_cast<double>(n) * factorial(n - 1); }

/// In how many ways the values of one block can be arranged.
double arrangements(const std::vector<std::int64_t>& values) {
  double count = factorial(values.size());
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i;
    while (end < values.size() && values[end] == values[i]) ++end;
    count /= factorial(end - i);
    i = end;
  }
  return count;
}

}  // namespace

bool TiledTensor::has(int label) const {
  return std::find(labelled.labels.begin(), labelled.labels.end(), label) != labelled.labels.end();
}

TileTerms::TileTerms(const Fold& fold, TiledTensor c, TiledTensor a, TiledTensor b) : c_(std::move(c)) {
  a_.tensor = std::move(a);
  b_.tensor = std::move(b);
  for (const symmetry::Unit& unit : fold.units) {
    if (unit.degree() < 2) continue;
    const auto add = [&](Operand& operand, SymmetryKind kind, bool counted) {
      std::vector<int> blocks = symmetry::own_blocks(operand.tensor.labelled, unit.labels);
      const double cosets = symmetry::coset_count(blocks);
      if (cosets == 1 && !counted) return;
      operand.units.push_back({unit.labels, std::move(blocks), kind, counted, cosets});
    };
    const int first = unit.labels[0];
    if (unit.role == Role::row) {
      add(a_, group_kind(c_, first), false);
    } else if (unit.role == Role::column && b_.tensor.exists() && b_.tensor.has(first)) {
      add(b_, group_kind(c_, first), false);
    } else if (unit.role == Role::summed) {
      const bool a_owns = all_in_one(symmetry::own_blocks(a_.tensor.labelled, unit.labels));
      add(a_owns ? b_ : a_, group_kind(a_owns ? a_.tensor : b_.tensor, first), true);
    }
  }
  for (Operand* operand : {&a_, &b_}) list_readings(*operand);
}

void TileTerms::list_readings(Operand& operand) {
  constexpr double most = 64;
  double count = 1;
  for (const Arranged& unit : operand.units) count *= unit.cosets;
  if (!operand.tensor.exists() || count > most) return;
  operand.readings = {operand.tensor.labelled.labels};
  for (const Arranged& unit : operand.units) {
    std::vector<std::vector<int>> next;
    for (const symmetry::SignedPermutation& g : symmetry::coset_representatives(unit.blocks)) {
      for (const std::vector<int>& labels : operand.readings) next.push_back(arranged(labels, unit.labels, g));
    }
    operand.readings = std::move(next);
  }
}

std::vector<TileUse> TileTerms::read(const Operand& operand, const std::vector<std::int64_t>& tiles) const {
  struct Reading {
    std::vector<int> labels;
    double factor;
  };
  std::vector<Reading> readings{{operand.tensor.labelled.labels, 1}};
  for (const Arranged& unit : operand.units) {
    std::vector<Reading> next;
    std::set<std::vector<std::int64_t>> seen;  // the tiles of each block, sorted
    for (const symmetry::SignedPermutation& g : symmetry::coset_representatives(unit.blocks)) {
      std::map<int, std::vector<std::int64_t>> of_block;
      for (std::size_t i = 0; i < unit.labels.size(); ++i) {
        of_block[unit.blocks[i]].push_back(tiles[unit.labels[g.image[i]]]);
      }
      std::vector<std::int64_t> key;
      double factor = unit.kind == SymmetryKind::antisymmetric ? g.sign : 1;
      for (auto& [block, values] : of_block) {
        std::sort(values.begin(), values.end());
        key.insert(key.end(), values.begin(), values.end());
        if (unit.counted) factor *= arrangements(values);
      }
      if (!seen.insert(key).second) continue;
      for (const Reading& reading : readings) {
        next.push_back({arranged(reading.labels, unit.labels, g), reading.factor * factor});
      }
    }
    readings = std::move(next);
  }
  std::vector<TileUse> uses;
  for (const Reading& reading : readings) {
    uses.push_back(use(operand.tensor, reading.labels, tiles));
    uses.back().factor *= reading.factor;
  }
  return uses;
}

std::vector<Symmetrisation> TileTerms::within_tiles(bool second, const std::vector<std::int64_t>& tiles) const {
  std::vector<Symmetrisation> result;
  for (const Arranged& unit : (second ? b_ : a_).units) {
    if (unit.cosets == 1) continue;
    std::set<std::int64_t> distinct;
    for (int label : unit.labels) distinct.insert(tiles[label]);
    if (distinct.size() == unit.labels.size()) continue;  // summed up tile by tile
    if (distinct.size() > 1) return {};
    result.push_back({unit.labels, unit.kind, unit.counted ? unit.cosets : 1});
  }
  return result;
}

bool TileTerms::is_symmetrised(bool second) const {
  const auto& units = (second ? b_ : a_).units;
  return std::any_of(units.begin(), units.end(), [](const Arranged& unit) { return unit.cosets > 1; });
}

void TileTerms::add_numbers(bool second, const layout::TensorTiles& all, const std::vector<std::int64_t>& tiles,
                            std::vector<std::int64_t>& numbers) const {
  const Operand& operand = second ? b_ : a_;
  if (operand.readings.empty()) {
    for (const TileUse& use : read(operand, tiles)) numbers.push_back(all.number(use.tile));
  }
  for (const std::vector<int>& labels : operand.readings) {
    numbers.push_back(stored_number(operand.tensor, labels, all, tiles));
  }
}

std::int64_t TileTerms::number_of_c(const layout::TensorTiles& all, const std::vector<std::int64_t>& tiles) const {
  return stored_number(c_, c_.labelled.labels, all, tiles);
}

TileUse TileTerms::write_c(const std::vector<std::int64_t>& tiles) const { return use(c_, c_.labelled.labels, tiles); }

/// The stored twin of a tile: its labels sorted by their tiles within each group.
TileUse TileTerms::use(const TiledTensor& tensor, const std::vector<int>& labels,
                       const std::vector<std::int64_t>& tiles) const {
  const symmetry::Shape& shape = *tensor.labelled.shape;
  TileUse result;
  std::vector<int> stored = labels;  // of the tensor's modes
  for (const symmetry::StorageDim& dim : shape.dims()) {
    const std::size_t degree = dim.modes.size();
    std::vector<std::size_t> order(degree);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      return tiles[labels[dim.modes[x]]] < tiles[labels[dim.modes[y]]];
    });
    TileTuple& tuple = result.tile.emplace_back();
    std::vector<std::int64_t> parity;
    for (std::size_t q = 0; q < degree; ++q) {
      stored[dim.modes[q]] = labels[dim.modes[order[q]]];
      tuple.push_back(tiles[stored[dim.modes[q]]]);
      parity.push_back(static_cast<std::int64_t>(order[q]));
    }
    if (dim.grouped() && dim.kind == SymmetryKind::antisymmetric) {
      result.factor *= symmetry::sort_with_sign(parity.data(), static_cast<int>(degree));
    }
    // In the order of storage: see layout::TensorTiles::shape.
    const layout::Unit& unit = tensor.distribution->units()[result.tile.size() - 1];
    for (const layout::TileRun& run : unit.runs(tuple)) {
      for (int k = run.first; k < run.first + run.degree; ++k) {
        result.labels.push_back(stored[dim.modes[k]]);
      }
    }
  }
  return result;
}

}  // namespace ricci::planning
