#include "kernels/local_contraction.hpp"

#include <algorithm>

namespace ricci::kernels {

using symmetry::Fold;
using symmetry::Labelled;
using symmetry::Role;
using symmetry::Unit;

namespace {

bool contains(const Labelled& tensor, int label) {
  return std::find(tensor.labels.begin(), tensor.labels.end(), label) != tensor.labels.end();
}

/// Whether the output's fastest label that only one operand has comes from B. The register tile's vectors run along the
/// rows, so that label should be a row: then whole vectors of C are updated in place.
bool output_runs_along(const Labelled& c, const Labelled& a, const Labelled& b) {
  for (std::size_t d = c.shape->dims().size(); d-- > 0;) {
    const auto& modes = c.shape->dims()[d].modes;
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const int label = c.labels[modes[k]];
      if (c.shape->extents()[modes[k]] == 1) continue;
      if (contains(a, label) != contains(b, label)) return contains(b, label);
    }
  }
  return false;
}

/// The distance in memory of two neighbouring values of a loop; a large number where the tensor does not have it.
std::int64_t stride_of(const Access& access, const Unit& unit, int index) {
  std::int64_t stride = access.unit_stride[index];
  const auto consider = [&stride](std::int64_t candidate) {
    if (candidate > 0 && (stride == 0 || candidate < stride)) stride = candidate;
  };
  for (int label : unit.labels) {
    consider(access.label_stride[label]);
    for (const GroupAccess& group : access.groups) {
      if (std::find(group.labels.begin(), group.labels.end(), label) != group.labels.end()) consider(group.stride);
    }
  }
  return stride > 0 ? stride : INT64_MAX;
}

std::vector<int> loops_of(const Fold& fold, Role role, const Access& first, const Access& second) {
  std::vector<int> loops;
  for (std::size_t u = 0; u < fold.units.size(); ++u) {
    if (fold.units[u].role == role) loops.push_back(static_cast<int>(u));
  }
  const auto key = [&](int u) {
    return std::pair(stride_of(first, fold.units[u], u), stride_of(second, fold.units[u], u));
  };
  std::stable_sort(loops.begin(), loops.end(), [&](int x, int y) { return key(x) < key(y); });
  return loops;
}

}  // namespace

LocalContraction::LocalContraction(Labelled c, Labelled a, Labelled b, const std::vector<std::int64_t>& extents)
    : c_(std::move(c)), labels_(extents.size()) {
  swapped_ = output_runs_along(c_, a, b);
  a_ = swapped_ ? std::move(b) : std::move(a);
  b_ = swapped_ ? std::move(a) : std::move(b);
  fold_ = symmetry::fold(c_, a_, b_, extents);
  for (const auto& reading : fold_.a_readings) {
    a_access_.push_back(make_access(a_, &reading, fold_.units, labels_));
  }
  for (const auto& reading : fold_.b_readings) {
    b_access_.push_back(make_access(b_, &reading, fold_.units, labels_));
  }
  c_access_ = make_access(c_, nullptr, fold_.units, labels_);
  choose_axes();
}

void LocalContraction::choose_axes() {
  const Access &a = a_access_[0], &b = b_access_[0];
  rows_ = Axis(fold_.units, loops_of(fold_, Role::row, c_access_, a));
  columns_ = Axis(fold_.units, loops_of(fold_, Role::column, c_access_, b));
  summed_ = Axis(fold_.units, loops_of(fold_, Role::summed, a, b));
  batch_ = Axis(fold_.units, loops_of(fold_, Role::batch, c_access_, a));

  for (const Access& access : a_access_) {
    row_accesses_.push_back(&access);
    summed_accesses_.push_back(&access);
    batch_accesses_.push_back(&access);
  }
  for (const Access& access : b_access_) {
    column_accesses_.push_back(&access);
    summed_accesses_.push_back(&access);
    batch_accesses_.push_back(&access);
  }
  row_accesses_.push_back(&c_access_);
  column_accesses_.push_back(&c_access_);
  batch_accesses_.push_back(&c_access_);

  // A: rows x summed; B: columns x summed (its panels run along the columns of C); C: rows x columns.
  const auto along = [&](Role row, Role column) {
    std::vector<Along> result(labels_, Along::fixed);
    for (const Unit& unit : fold_.units) {
      for (int label : unit.labels) {
        if (unit.role == row) result[label] = Along::row;
        if (unit.role == column) result[label] = Along::column;
      }
    }
    return result;
  };
  const int a_count = static_cast<int>(a_access_.size());
  for (int i = 0; i < a_count; ++i) {
    a_blocks_.emplace_back(a_access_[i], along(Role::row, Role::summed), i, i, false);
  }
  for (int i = 0; i < static_cast<int>(b_access_.size()); ++i) {
    b_blocks_.emplace_back(b_access_[i], along(Role::column, Role::summed), i, a_count + i, false);
  }
  c_block_.emplace_back(c_access_, along(Role::row, Role::column), a_count, static_cast<int>(b_access_.size()), true);
  wanted_.assign(labels_, false);
  for (const auto* blocks : {&a_blocks_, &b_blocks_, &c_block_}) {
    for (const BlockAccess& block : *blocks) block.want_labels(wanted_);
  }
}

}  // namespace ricci::kernels
