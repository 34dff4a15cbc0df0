// Adding tiles to a tensor. Internal linkage, as everything that is compiled for one instruction set.
#pragma once

#include <cstdint>

#include "kernels/isa/block_locate.hpp"

namespace ricci::kernels::isa {
namespace {

// Adds one column of a tile to places that are all different.
template <class Real, int pairs, bool weighted, bool is_complex>
void scatter_part(const ScatterJob<Real>& job, Index first, int count) {
  constexpr int parts = is_complex ? 2 : 1;
  const Rows rows(job.block, first, count);
  alignas(64) Index at[max_width];
  alignas(64) double factor[max_width];
  for (Index c = 0; c < job.block.columns; ++c) {
    locate<pairs, weighted>(job.block, rows, count, c, at, factor);
    const Real* const tile = job.tile + (c * job.tile_step + first) * parts;
    for (int r = 0; r < count; ++r) {
      const Real f = weighted ? Real(factor[r]) : Real(1);
      if (weighted && f == 0) continue;  // it has no place of its own
      for (int k = 0; k < parts; ++k) {
        Real& to = job.data[parts * at[r] + k];
        to = job.accumulate ? to + f * tile[parts * r + k] : f * tile[parts * r + k];
      }
    }
  }
}

template <class Real, bool is_complex>
void scatter_run(const ScatterJob<Real>& job) {
  constexpr int parts = is_complex ? 2 : 1;
  const Index count = job.block.rows * parts;
  for (Index c = 0; c < job.block.columns; ++c) {
    Real* const to = job.data + (job.block.row_offset[0] + job.block.column_offset[c]) * parts;
    const Real* const from = job.tile + c * job.tile_step * parts;
    if (job.accumulate) {
#pragma GCC ivdep
      for (Index r = 0; r < count; ++r) to[r] += from[r];
    } else {
      __builtin_memcpy(to, from, static_cast<unsigned long>(count) * sizeof(Real));
    }
  }
}

template <class Real, bool is_complex>
void scatter(const ScatterJob<Real>& job) {
  const bool weighted = is_weighted(job.block);
  if (!weighted && job.block.pairs == 0 && is_run(job.block.row_offset, 1, static_cast<int>(job.block.rows))) {
    return scatter_run<Real, is_complex>(job);
  }
  for (Index first = 0; first < job.block.rows; first += max_width) {
    const int count = static_cast<int>(smaller(max_width, job.block.rows - first));
    with_pair_count(job.block.pairs, [&]<int pairs>() {
      weighted ? scatter_part<Real, pairs, true, is_complex>(job, first, count)
               : scatter_part<Real, pairs, false, is_complex>(job, first, count);
    });
  }
}

}  // namespace
}  // namespace ricci::kernels::isa
