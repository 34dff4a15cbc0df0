#include "kernels/block_access.hpp"

#include <algorithm>

namespace ricci::kernels {

BlockAccess::BlockAccess(const Access& access, const std::vector<Along>& along, int row_index, int column_index,
                         bool is_output, GroupTables& tables)
    : access_(&access), row_index_(row_index), column_index_(column_index), is_output_(is_output) {
  for (const GroupAccess& group : access.groups) {
    int rows = 0, columns = 0, fixed = 0;
    for (int label : group.labels) {
      ++(along[label] == Along::row ? rows : along[label] == Along::column ? columns : fixed);
    }
    if (columns == 0) {
      (rows > 0 ? row_groups_ : fixed_groups_).push_back(&group);
    } else if (rows == 0) {
      column_groups_.push_back(&group);
    } else if (rows == 1 && columns == 1 && fixed == 0) {
      const bool row_first = along[group.labels[0]] == Along::row;
      pairs_.push_back({&group, group.labels[row_first ? 0 : 1], group.labels[row_first ? 1 : 0]});
    } else if (const GroupTable* const table = tables.find_or_make(group)) {
      tables_.push_back(table_of(group, *table, along));
    } else {
      general_.push_back(&group);
    }
  }
}

BlockAccess::Table BlockAccess::table_of(const GroupAccess& group, const GroupTable& table,
                                         const std::vector<Along>& along) {
  Table result{&table, {}, {}, {}};
  std::int64_t power = 1;
  for (int label : group.labels) {
    auto& side = along[label] == Along::row      ? result.rows
                 : along[label] == Along::column ? result.columns
                                                 : result.fixed;
    side.push_back({label, power});
    power *= group.extent;
  }
  return result;
}

void BlockAccess::want_labels(std::vector<bool>& wanted) const {
  for (const GroupAccess& group : access_->groups) {
    for (int label : group.labels) wanted[label] = true;
  }
}

GroupOffset BlockAccess::fixed(const std::int64_t* fixed_values) const {
  GroupOffset sum;
  for (const GroupAccess* group : fixed_groups_) {
    const GroupOffset more = locate_group(*group, fixed_values);
    sum.offset += more.offset;
    sum.factor *= more.factor;
  }
  return sum;
}

Side BlockAccess::side(const AxisBlock& block, int index, const std::vector<const GroupAccess*>& groups,
                       const std::int64_t* fixed_values, bool weighted) const {
  Side side;
  side.offset = block.offsets[index].data();
  weighted = weighted && !block.weights.empty();
  if (groups.empty() && !weighted) return side;

  side.own_factor.assign(block.count, 1.0);
  if (weighted) side.own_factor = block.weights;
  side.own_offset = block.offsets[index];
  std::vector<std::int64_t> values(block.values.size(), 0);
  if (fixed_values) std::copy_n(fixed_values, values.size(), values.begin());
  for (std::int64_t i = 0; i < block.count && !groups.empty(); ++i) {
    for (std::size_t l = 0; l < values.size(); ++l) {
      if (!block.values[l].empty()) values[l] = block.values[l][i];
    }
    for (const GroupAccess* group : groups) {
      const GroupOffset more = locate_group(*group, values.data());
      side.own_offset[i] += more.offset;
      side.own_factor[i] *= more.factor;
    }
  }
  side.offset = side.own_offset.data();
  if (std::any_of(side.own_factor.begin(), side.own_factor.end(), [](double f) { return f != 1.0; })) {
    side.factor = side.own_factor.data();
  }
  return side;
}

BlockView BlockAccess::view(const AxisBlock& row_block, const Side& row_side, const AxisBlock& column_block,
                            const Side& column_side, const std::int64_t* fixed_values) const {
  BlockView view;
  view.rows = row_block.count;
  view.columns = column_block.count;
  view.row_offset = row_side.offset;
  view.column_offset = column_side.offset;
  view.row_factor = row_side.factor;
  view.column_factor = column_side.factor;
  for (const Pair& pair : pairs_) {
    view.pairs.push_back({row_block.values[pair.row_label].data(), column_block.values[pair.column_label].data(),
                          pair.group->stride, pair.group->kind, pair.group->labels[0] == pair.row_label});
  }
  for (const Table& table : tables_) {
    CrossTable cross{std::vector<std::int64_t>(row_block.count, 0), std::vector<std::int64_t>(column_block.count, 0),
                     table.table};
    for (const Power& power : table.fixed) {
      for (std::int64_t& number : cross.column_number) number += power.factor * fixed_values[power.label];
    }
    for (const Power& power : table.rows) {
      const auto& values = row_block.values[power.label];
      for (std::int64_t r = 0; r < row_block.count; ++r) cross.row_number[r] += power.factor * values[r];
    }
    for (const Power& power : table.columns) {
      const auto& values = column_block.values[power.label];
      for (std::int64_t c = 0; c < column_block.count; ++c) cross.column_number[c] += power.factor * values[c];
    }
    view.tables.push_back(std::move(cross));
  }
  view.general = general_;
  view.row_block = &row_block;
  view.column_block = &column_block;
  view.fixed_values = fixed_values;
  view.is_output = is_output_;
  return view;
}

}  // namespace ricci::kernels
