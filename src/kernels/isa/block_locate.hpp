// Where the elements of a block are. Internal linkage, as everything that is compiled for one instruction set.
#pragma once

#include <cstdint>

#include "kernels/isa/pack_kernels.hpp"

namespace ricci::kernels::isa {
namespace {

using Index = std::int64_t;
constexpr int max_width = 64;  // rows that are located together

[[gnu::always_inline]] inline Index smaller(Index a, Index b) { return a < b ? a : b; }

// Whether offset[0], offset[step], …, `count` of them, are neighbours in memory.
[[gnu::always_inline]] inline bool is_run(const Index* offset, Index step, int count) {
  bool run = true;
  for (int i = 1; i < count; ++i) run &= offset[i * step] == offset[0] + i;
  return run;
}

// The rows of one panel, with what each pair needs of them.
struct Rows {
  alignas(64) Index offset[max_width];
  alignas(64) Index value[Block::max_pairs][max_width];
  alignas(64) Index triangle[Block::max_pairs][max_width];  // stride * (triangular number of the value)
  alignas(64) Index linear[Block::max_pairs][max_width];    // stride * value
  alignas(64) double factor[max_width];
  Index first;

  Rows(const Block& block, Index first_row, int count) : first(first_row) {
    for (int r = 0; r < count; ++r) {
      offset[r] = block.row_offset[first + r];
      factor[r] = block.row_factor ? block.row_factor[first + r] : 1.0;
    }
    for (int p = 0; p < block.pairs; ++p) {
      const Pair& pair = block.pair[p];
      for (int r = 0; r < count; ++r) {
        const Index v = pair.row_value[first + r];
        value[p][r] = v;
        triangle[p][r] = pair.stride * (v * (pair.strict ? v - 1 : v + 1) / 2);
        linear[p][r] = pair.stride * v;
      }
    }
  }
};

bool is_weighted(const Block& block) {
  bool weighted = block.row_factor || block.column_factor || block.tables > 0;
  for (int p = 0; p < block.pairs; ++p) {
    const Pair& pair = block.pair[p];
    weighted |= pair.row_above_sign != 1 || pair.row_below_sign != 1 || pair.equal_factor != 1;
  }
  return weighted;
}

// Adds the places in the groups that are looked up.
inline void look_up(const Block& block, Index first, int count, Index column, Index* at, double* factor) {
  for (int t = 0; t < block.tables; ++t) {
    const Table& table = block.table[t];
    const Index* const number = table.row_number + first;
    const Index* const offset = table.offset + table.column_number[column];
    const double* const sign = table.factor + table.column_number[column];
#pragma GCC ivdep
    for (int r = 0; r < count; ++r) {
      at[r] += offset[number[r]];
      factor[r] *= sign[number[r]];
    }
  }
}

// Where the rows of a panel are in one column, and with which factor.
template <int pairs, bool weighted>
[[gnu::always_inline]] inline void locate(const Block& block, const Rows& rows, int count, Index column, Index* at,
                                          double* factor) {
  const Index base = block.column_offset[column];
  const double column_factor = block.column_factor ? block.column_factor[column] : 1.0;
  Index y[pairs > 0 ? pairs : 1], triangle[pairs > 0 ? pairs : 1], linear[pairs > 0 ? pairs : 1];
  for (int p = 0; p < pairs; ++p) {
    const Pair& pair = block.pair[p];
    y[p] = pair.column_value[column];
    triangle[p] = pair.stride * (y[p] * (pair.strict ? y[p] - 1 : y[p] + 1) / 2);
    linear[p] = pair.stride * y[p];
  }
#pragma GCC ivdep
  for (int r = 0; r < count; ++r) {
    Index offset = rows.offset[r] + base;
    double f = weighted ? rows.factor[r] * column_factor : 1.0;
    for (int p = 0; p < pairs; ++p) {
      const Pair& pair = block.pair[p];
      const Index x = rows.value[p][r];
      const Index above = rows.triangle[p][r] + linear[p], below = triangle[p] + rows.linear[p][r];
      const Index there = x > y[p] ? above : below;
      offset += pair.strict && x == y[p] ? 0 : there;
      if (weighted) {
        const double sign = x > y[p] ? pair.row_above_sign : pair.row_below_sign;
        f *= x == y[p] ? pair.equal_factor : sign;
      }
    }
    at[r] = offset;
    if (weighted) factor[r] = f;
  }
  if (weighted && block.tables > 0) look_up(block, rows.first, count, column, at, factor);
}

// Calls run with the number of pairs as a constant.
template <class F>
[[gnu::always_inline]] inline void with_pair_count(int pairs, F run) {
  switch (pairs) {
    case 0:
      return run.template operator()<0>();
    case 1:
      return run.template operator()<1>();
    default:
      return run.template operator()<2>();
  }
}

}  // namespace
}  // namespace ricci::kernels::isa
