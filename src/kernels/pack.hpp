#pragma once
// Gathering a block of a tensor into contiguous panels, and adding a tile to a tensor: the two places where layouts,
// permutations and packed symmetry are dealt with. Everything else works on plain panels.
#include <complex>
#include <cstdint>
#include <vector>

#include "kernels/access.hpp"
#include "kernels/axis.hpp"
#include "kernels/group_table.hpp"
#include "kernels/isa/pack_kernels.hpp"
#include "kernels/micro_kernel.hpp"

namespace ricci::kernels {

/// A packed pair with one label along the rows and one along the columns of a block:
///   offset = stride · rank(row value, column value), with sign (antisymmetric) or weight (output) as the kind asks.
struct CrossPair {
  const std::int64_t* row_value;
  const std::int64_t* column_value;
  std::int64_t stride;
  SymmetryKind kind;
  bool row_first;  // the row's label stands first in the group: antisymmetric pairs are positive for row < column
};

/// Any other packed group across rows and columns that has a table: element row_number[r] + column_number[c] of it.
struct CrossTable {
  std::vector<std::int64_t> row_number, column_number;
  const GroupTable* table;
};

/// A block of a tensor: element (r, c) is at  row_offset[r] + column_offset[c] + Σ pairs + Σ tables + Σ general groups.
struct BlockView {
  std::int64_t rows = 0, columns = 0;
  const std::int64_t* row_offset = nullptr;
  const std::int64_t* column_offset = nullptr;
  const double* row_factor = nullptr;  // null: 1
  const double* column_factor = nullptr;
  std::vector<CrossPair> pairs;
  std::vector<CrossTable> tables;
  // Groups that are too large for a table, along both rows and columns: located one by one.
  std::vector<const GroupAccess*> general;
  const AxisBlock* row_block = nullptr;
  const AxisBlock* column_block = nullptr;
  const std::int64_t* fixed_values = nullptr;  // [label]
  bool is_output = false;                      // weights count
  bool plain() const { return !row_factor && !column_factor && pairs.empty() && tables.empty() && general.empty(); }
};

using isa::Panel;

/// How the rows of a block are cut into panels, which follow one another. `split`: complex values as all real parts of
/// a panel's column, then all imaginary ones (MicroKernels).
struct PanelFormat {
  const std::vector<Panel>& panels;
  bool split;
};

/// out (=|+=) scale · op(data), op = conj where asked.
template <class T>
void pack(const BlockView& view, const T* data, bool conjugate, bool accumulate, double scale, PanelFormat format,
          Real<T>* out);

/// A part of a block.
struct Window {
  std::int64_t row, rows, column, columns;
};

/// data (+)= tile, element (r, c) of the window at tile[c · tile_step + r]. Without `accumulate` the elements are
/// overwritten (then each must be reached once).
template <class T>
void scatter(const BlockView& view, Window window, const T* tile, std::int64_t tile_step, bool accumulate, T* data);

}  // namespace ricci::kernels
