// What pack.cpp asks of each instruction set: plain data and function pointers only, since the translation units behind
// them are compiled for machines that the rest of the library may not run on.
#pragma once

#include <cstdint>

namespace ricci::kernels::isa {

// A packed pair across rows and columns of a block; see CrossPair in pack.hpp.
struct Pair {
  const std::int64_t* row_value;
  const std::int64_t* column_value;
  std::int64_t stride;
  bool strict;         // equal values make the element vanish
  int row_above_sign;  // the factor where the row's value is the greater; the other order has +1 or -1:
  int row_below_sign;
  double equal_factor;  // where the values are equal
};

// Any other packed group across rows and columns: see CrossTable in pack.hpp.
struct Table {
  const std::int64_t* row_number;
  const std::int64_t* column_number;
  const std::int64_t* offset;
  const double* factor;
};

// Element (r, c) of a block is at row_offset[r] + column_offset[c] + pairs + tables, with the product of all factors.
struct Block {
  static constexpr int max_pairs = 2, max_tables = 4;
  std::int64_t rows, columns;
  const std::int64_t* row_offset;
  const std::int64_t* column_offset;
  const double* row_factor;  // null: 1
  const double* column_factor;
  int pairs;
  Pair pair[max_pairs];
  int tables;
  Table table[max_tables];
};

// Some rows of a block as a panel: out[start + column * width + (row - first)]; rows beyond `count` are zero. Complex
// elements take two numbers, so start and width count twice.
struct Panel {
  std::int64_t first;
  int count, width;
  std::int64_t start;
};

// Numbers of type Real; an element is one of them, or two where is_complex.
template <class Real>
struct PackJob {
  Block block;
  const Real* data;
  double scale;
  bool conjugate, accumulate;
  const Panel* panels;
  int panel_count;
  bool split;
  Real* out;
};

template <class Real>
struct ScatterJob {
  Block block;
  const Real* tile;
  std::int64_t tile_step;  // in elements
  bool accumulate;
  Real* data;
};

template <class Real>
struct PackKernels {
  void (*pack_real)(const PackJob<Real>&);
  void (*pack_complex)(const PackJob<Real>&);
  void (*scatter_real)(const ScatterJob<Real>&);
  void (*scatter_complex)(const ScatterJob<Real>&);
};

template <class Real>
const PackKernels<Real>& base_pack_kernels();
template <class Real>
const PackKernels<Real>& avx2_pack_kernels();
template <class Real>
const PackKernels<Real>& avx512_pack_kernels();

}  // namespace ricci::kernels::isa
