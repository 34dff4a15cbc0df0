#include "kernels/access.hpp"

#include <algorithm>
#include <array>

#include "symmetry/packed.hpp"

namespace ricci::kernels {

namespace {

/// The loop that is exactly this group, or -1. `substitute`: which label's index a mode is read with.
int whole_unit(const std::vector<int>& labels, SymmetryKind kind, const std::vector<symmetry::Unit>& units) {
  std::vector<int> sorted = labels;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (units[u].labels.size() != labels.size() || units[u].strict != symmetry::is_strict(kind)) continue;
    std::vector<int> unit_labels = units[u].labels;
    std::sort(unit_labels.begin(), unit_labels.end());
    if (unit_labels == sorted) return static_cast<int>(u);
  }
  return -1;
}

/// The sign of bringing the group's labels into the order of the loop's.
int order_sign(const std::vector<int>& labels, const symmetry::Unit& unit) {
  std::vector<std::int64_t> positions;
  for (int label : labels) {
    positions.push_back(std::find(unit.labels.begin(), unit.labels.end(), label) - unit.labels.begin());
  }
  return symmetry::sort_with_sign(positions.data(), static_cast<int>(positions.size()));
}

std::vector<int> loop_blocks(const std::vector<int>& labels, const std::vector<symmetry::Unit>& units) {
  std::vector<int> blocks;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    int block = static_cast<int>(units.size() + i);  // a label by itself, or a repeated one: a block of its own
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (units[u].degree() < 2) continue;
      if (std::find(units[u].labels.begin(), units[u].labels.end(), labels[i]) != units[u].labels.end()) {
        block = static_cast<int>(u);
      }
    }
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace

Access make_access(const symmetry::Labelled& tensor, const symmetry::Reading* reading,
                   const std::vector<symmetry::Unit>& units, std::size_t label_count) {
  Access access;
  access.label_stride.assign(label_count, 0);
  access.unit_stride.assign(units.size(), 0);
  access.sign = reading ? reading->sign : 1;
  for (const symmetry::StorageDim& dim : tensor.shape->dims()) {
    std::vector<int> labels;
    for (int mode : dim.modes) {
      labels.push_back(reading ? reading->substitute[tensor.labels[mode]] : tensor.labels[mode]);
    }
    if (!dim.grouped()) {
      access.label_stride[labels[0]] += dim.stride;
    } else if (const int unit = whole_unit(labels, dim.kind, units); unit >= 0) {
      access.unit_stride[unit] = dim.stride;
      if (dim.kind == SymmetryKind::antisymmetric) access.sign *= order_sign(labels, units[unit]);
    } else {
      GroupAccess group{dim.kind, dim.stride, dim.extent, labels, {}};
      if (!reading) group.blocks = loop_blocks(labels, units);
      access.groups.push_back(std::move(group));
    }
  }
  return access;
}

namespace {

// Pairs are by far the most frequent.
GroupOffset locate_pair(const GroupAccess& group, std::int64_t x, std::int64_t y) {
  const bool is_output = !group.blocks.empty();
  const std::int64_t low = std::min(x, y), high = std::max(x, y);
  if (group.kind == SymmetryKind::symmetric) {
    const bool doubled = is_output && x == y && group.blocks[0] != group.blocks[1];
    return {group.stride * (high * (high + 1) / 2 + low), doubled ? 2.0 : 1.0};
  }
  if (x == y) return {0, 0.0};
  const double factor = group.kind == SymmetryKind::antisymmetric && x > y ? -1.0 : 1.0;
  return {group.stride * (high * (high - 1) / 2 + low), factor};
}

// Triples follow; without branches, since nothing about them can be foreseen. Not for outputs with weights.
GroupOffset locate_triple(const GroupAccess& group, std::int64_t x, std::int64_t y, std::int64_t z) {
  const std::int64_t low = std::min(std::min(x, y), z), high = std::max(std::max(x, y), z);
  const std::int64_t middle = x + y + z - low - high;
  if (group.kind == SymmetryKind::symmetric) {
    return {group.stride * (high * (high + 1) / 2 * (high + 2) / 3 + middle * (middle + 1) / 2 + low), 1.0};
  }
  const bool vanishes = (low == middle) | (middle == high);
  const bool odd = (x > y) != ((x > z) != (y > z));
  const double sign = group.kind == SymmetryKind::antisymmetric && odd ? -1.0 : 1.0;
  const std::int64_t rank = high * (high - 1) / 2 * (high - 2) / 3 + middle * (middle - 1) / 2 + low;
  return {vanishes ? 0 : group.stride * rank, vanishes ? 0.0 : sign};
}

}  // namespace

GroupOffset locate_group(const GroupAccess& group, const std::int64_t* label_values) {
  const int degree = static_cast<int>(group.labels.size());
  if (degree == 2) return locate_pair(group, label_values[group.labels[0]], label_values[group.labels[1]]);
  const bool weighted = !group.blocks.empty() && !symmetry::is_strict(group.kind);
  constexpr std::int64_t no_overflow = 2'000'000;  // in locate_triple
  if (degree == 3 && !weighted && group.extent < no_overflow) {
    return locate_triple(group, label_values[group.labels[0]], label_values[group.labels[1]],
                         label_values[group.labels[2]]);
  }
  std::array<std::int64_t, symmetry::Shape::max_order> tuple;
  for (int k = 0; k < degree; ++k) tuple[k] = label_values[group.labels[k]];
  const symmetry::PackedElement element = symmetry::locate(group.kind, tuple.data(), degree);
  GroupOffset result{element.rank * group.stride, static_cast<double>(element.factor)};
  if (!weighted) return result;
  // Multiply, over positions in any order, by (how often the value came) / (how often it came in this block).
  for (int k = 0; k < degree; ++k) {
    const std::int64_t value = label_values[group.labels[k]];
    int seen = 1, seen_in_block = 1;
    for (int j = 0; j < k; ++j) {
      if (label_values[group.labels[j]] != value) continue;
      ++seen;
      if (group.blocks[j] == group.blocks[k]) ++seen_in_block;
    }
    result.factor *= static_cast<double>(seen) / seen_in_block;
  }
  return result;
}

}  // namespace ricci::kernels
