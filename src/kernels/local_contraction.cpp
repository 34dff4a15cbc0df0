#include "kernels/local_contraction.hpp"

#include <algorithm>

#include "kernels/axis_order.hpp"
#include "kernels/micro_kernel.hpp"

namespace ricci::kernels {

using symmetry::Labelled;
using symmetry::Role;
using symmetry::Unit;

namespace {

bool contains(const Labelled& tensor, int label) {
  return std::find(tensor.labels.begin(), tensor.labels.end(), label) != tensor.labels.end();
}

/// Whether the output's fastest label that only one operand has comes from B. The register tile's vectors run along the
/// rows, so that label should be a row: then whole vectors of C are updated in place.
bool output_runs_along_b(const Labelled& c, const Labelled& a, const Labelled& b) {
  for (std::size_t d = c.shape->dims().size(); d-- > 0;) {
    for (int mode : c.shape->dims()[d].modes) {
      const int label = c.labels[mode];
      if (c.shape->extents()[mode] == 1) continue;
      if (contains(a, label) != contains(b, label)) return contains(b, label);
    }
  }
  return false;
}

struct TileShape {
  int lanes, rows, columns;
};

TileShape tile_shape(ElementType type) {
  return visit_element_type(type, [](auto* tag) -> TileShape {
    const auto& kernels = micro_kernels<std::remove_pointer_t<decltype(tag)>>();
    return {kernels.lanes, kernels.lanes * kernels.max_vectors, kernels.max_columns};
  });
}

}  // namespace

LocalContraction::LocalContraction(Labelled c, Labelled a, Labelled b, const std::vector<std::int64_t>& extents,
                                   ElementType type, Blocks blocks)
    : c_(std::move(c)), labels_(extents.size()), size_of_blocks_(blocks) {
  swapped_ = output_runs_along_b(c_, a, b);
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
  order_axes(type);
  make_blocks();
}

void LocalContraction::order_axes(ElementType type) {
  const Access &a = a_access_[0], &b = b_access_[0], &c = c_access_;
  const TileShape tile = tile_shape(type);
  const auto axis = [&](const OrderRequest& request) {
    LoopOrder order = order_loops(fold_, request);
    return Axis(fold_.units, std::move(order.loops), std::move(order.blocks));
  };
  // Rows: along C, so that tiles are updated in place; A follows in rectangles as long as a block of A in L2 allows.
  const std::int64_t depth = std::clamp<std::int64_t>(fold_.size(Role::summed), 1, block_depth(type));
  const std::int64_t rows_in_cache = block_bytes / (depth * static_cast<std::int64_t>(element_size(type)));
  const std::int64_t follower = std::max<std::int64_t>(tile.lanes, rows_in_cache / tile.rows / tile.lanes * tile.lanes);
  rows_ = axis({Role::row, c, a, tile.rows, follower});
  // Columns: the larger of C and B decides.
  const bool c_leads = c_.shape->stored_size() > b_.shape->stored_size();
  columns_ = axis({Role::column, c_leads ? c : b, c_leads ? b : c, tile.columns, 2 * tile.lanes});
  // Summed: an operand whose memory runs along a summed label leads, unless it is small; where both do, in squares.
  const auto runs_along_sum = [&](const Access& access) {
    const int fastest = fastest_loop(fold_, access);
    return fastest >= 0 && fold_.units[fastest].role == Role::summed;
  };
  const bool b_is_small = b_.shape->stored_size() < a_.shape->stored_size() / 4;
  const bool a_leads = runs_along_sum(a) || !runs_along_sum(b) || b_is_small;
  const std::int64_t square = b_is_small ? 0 : 2 * tile.lanes;
  summed_ = axis({Role::summed, a_leads ? a : b, a_leads ? b : a, square, square});
  batch_ = axis({Role::batch, c, a, 0, 0});

  // Whether C is written nearly in order where tiles follow one another along the columns.
  const auto stride = [&](const Axis& it, std::size_t loop) {
    return loop < it.loops().size() ? loop_stride(c, fold_.units[it.loops()[loop]], it.loops()[loop]) : INT64_MAX;
  };
  const bool long_run =
      !rows_.loops().empty() && fold_.units[rows_.loops()[0]].size > tile.rows && stride(rows_, 0) == 1;
  const std::int64_t next_rows = long_run ? tile.rows : stride(rows_, 1);
  columns_are_near_ = next_rows == INT64_MAX || stride(columns_, 0) <= 4 * next_rows;
}

void LocalContraction::make_blocks() {
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
  const int a_count = static_cast<int>(a_access_.size()), b_count = static_cast<int>(b_access_.size());
  for (int i = 0; i < a_count; ++i) {
    a_blocks_.emplace_back(a_access_[i], along(Role::row, Role::summed), i, i, false, tables_);
  }
  for (int i = 0; i < b_count; ++i) {
    b_blocks_.emplace_back(b_access_[i], along(Role::column, Role::summed), i, a_count + i, false, tables_);
  }
  c_block_.emplace_back(c_access_, along(Role::row, Role::column), a_count, b_count, true, tables_);
  wanted_.assign(labels_, false);
  for (const auto* blocks : {&a_blocks_, &b_blocks_, &c_block_}) {
    for (const BlockAccess& block : *blocks) block.want_labels(wanted_);
  }
}

}  // namespace ricci::kernels
