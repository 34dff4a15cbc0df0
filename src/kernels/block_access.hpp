#pragma once
// One access along given axes: which of its packed groups lie along the rows, along the columns, or across both.
#include <cstdint>
#include <vector>

#include "kernels/access.hpp"
#include "kernels/axis.hpp"
#include "kernels/group_table.hpp"
#include "kernels/pack.hpp"

namespace ricci::kernels {

/// Which axis of a matrix a label runs along; a fixed label has one value for the whole matrix.
enum class Along : std::uint8_t { row, column, fixed };

/// Offsets and factors of a block of one axis, the groups that lie wholly along it included.
struct Side {
  std::vector<std::int64_t> own_offset;
  std::vector<double> own_factor;
  const std::int64_t* offset = nullptr;
  const double* factor = nullptr;  // null: 1
};

class BlockAccess {
 public:
  /// `index`: of this access among those that the axes generate offsets for. Refers to `tables`.
  BlockAccess(const Access& access, const std::vector<Along>& along, int row_index, int column_index, bool is_output,
              GroupTables& tables);

  const Access& access() const { return *access_; }
  /// Labels whose values the axes must give out.
  void want_labels(std::vector<bool>& wanted) const;

  Side rows(const AxisBlock& block, const std::int64_t* fixed_values, bool weighted) const {
    return side(block, row_index_, row_groups_, fixed_values, weighted);
  }
  Side columns(const AxisBlock& block, const std::int64_t* fixed_values, bool weighted) const {
    return side(block, column_index_, column_groups_, fixed_values, weighted);
  }
  /// The part of the groups that depends on fixed labels alone.
  GroupOffset fixed(const std::int64_t* fixed_values) const;

  /// The view of the rows of one block and the columns of another. Refers to all of its arguments.
  BlockView view(const AxisBlock& row_block, const Side& row_side, const AxisBlock& column_block,
                 const Side& column_side, const std::int64_t* fixed_values) const;

  /// No group lies across rows and columns.
  bool separable() const { return pairs_.empty() && tables_.empty() && general_.empty(); }

 private:
  struct Pair {
    const GroupAccess* group;
    int row_label, column_label;
  };
  struct Power {
    int label;
    std::int64_t factor;
  };
  /// A group that is looked up, and what its labels along each axis contribute to the number of an element.
  struct Table {
    const GroupTable* table;
    std::vector<Power> rows, columns, fixed;
  };
  static Table table_of(const GroupAccess& group, const GroupTable& table, const std::vector<Along>& along);
  Side side(const AxisBlock& block, int index, const std::vector<const GroupAccess*>& groups,
            const std::int64_t* fixed_values, bool weighted) const;

  const Access* access_;
  int row_index_, column_index_;
  bool is_output_;
  std::vector<const GroupAccess*> row_groups_, column_groups_, fixed_groups_, general_;
  std::vector<Pair> pairs_;
  std::vector<Table> tables_;
};

}  // namespace ricci::kernels
