#include "kernels/local_map.hpp"

#include <algorithm>

#include "kernels/axis_order.hpp"

namespace ricci::kernels {

using symmetry::Labelled;
using symmetry::Role;
using symmetry::Unit;

LocalMap::LocalMap(Labelled c, Labelled a, Labelled b, const std::vector<std::int64_t>& extents,
                   std::size_t element_size)
    : c_(std::move(c)), a_(std::move(a)), b_(std::move(b)), labels_(extents.size()) {
  fold_ = symmetry::fold(c_, a_, b_, extents);
  for (const auto& reading : fold_.a_readings) accesses_.push_back(make_access(a_, &reading, fold_.units, labels_));
  for (const auto& reading : fold_.b_readings) accesses_.push_back(make_access(b_, &reading, fold_.units, labels_));
  accesses_.push_back(make_access(c_, nullptr, fold_.units, labels_));
  choose_axes();
  transpose_ = as_transpose(element_size);
}

void LocalMap::choose_axes() {
  // The loops in the order of C's memory or, where there is a sum, of the larger operand's.
  std::vector<int> loops;
  for (std::size_t u = 0; u < fold_.units.size(); ++u) {
    loops.push_back(static_cast<int>(u));
    has_sum_ = has_sum_ || fold_.units[u].role == Role::summed;
  }
  const bool b_is_larger = b_.shape && b_.shape->stored_size() > a_.shape->stored_size();
  const Access& leader = !has_sum_ ? accesses_.back() : b_is_larger ? accesses_[fold_.a_readings.size()] : accesses_[0];
  const auto key = [&](int u) { return loop_stride(leader, fold_.units[u], u); };
  std::stable_sort(loops.begin(), loops.end(), [&](int x, int y) { return key(x) < key(y); });

  // Rows: the fastest of them, summed or not alike, until there are enough to fill a tile.
  std::vector<int> rows, columns;
  std::int64_t size = 1;
  for (int u : loops) {
    const bool alike =
        rows.empty() || (fold_.units[rows[0]].role == Role::summed) == (fold_.units[u].role == Role::summed);
    const bool joins = columns.empty() && alike && size < tile_rows / 4;
    (joins ? rows : columns).push_back(u);
    size *= std::max<std::int64_t>(fold_.units[u].size, 1);
  }
  rows_are_summed_ = !rows.empty() && fold_.units[rows[0]].role == Role::summed;
  rows_ = Axis(fold_.units, rows);
  columns_ = Axis(fold_.units, columns);

  std::vector<Along> along(labels_, Along::fixed);
  for (int u : rows) {
    for (int label : fold_.units[u].labels) along[label] = Along::row;
  }
  for (int u : columns) {
    for (int label : fold_.units[u].labels) along[label] = Along::column;
  }
  wanted_.assign(labels_, false);
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    pointers_.push_back(&accesses_[i]);
    const int index = static_cast<int>(i);
    blocks_.emplace_back(accesses_[i], along, index, index, i + 1 == accesses_.size(), tables_);
    blocks_.back().want_labels(wanted_);
  }
}

std::optional<Transpose> LocalMap::as_transpose(std::size_t element_size) const {
  if (b_.shape || fold_.a_readings.size() != 1 || has_sum_) return std::nullopt;
  if (!accesses_[0].groups.empty() || !accesses_[1].groups.empty()) return std::nullopt;
  std::vector<TransposeDim> dims;
  for (std::size_t u = 0; u < fold_.units.size(); ++u) {
    const Unit& unit = fold_.units[u];
    if (unit.size == 0) return std::nullopt;  // nothing to move, and strides that mean nothing
    std::int64_t strides[2];
    for (int t = 0; t < 2; ++t) {
      strides[t] = unit.degree() == 1 ? accesses_[t].label_stride[unit.labels[0]] : accesses_[t].unit_stride[u];
      // A packed loop over plain modes of the other tensor is not a permutation of blocks.
      for (int label : unit.labels) {
        if (unit.degree() > 1 && accesses_[t].label_stride[label] != 0) return std::nullopt;
      }
    }
    dims.push_back({unit.size, strides[0], strides[1]});
  }
  return Transpose(std::move(dims), element_size);
}

}  // namespace ricci::kernels
