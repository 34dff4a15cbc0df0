// Gathering blocks into panels and scattering tiles, written once over GCC vector extensions and compiled once for each
// instruction set. The including file defines, in an anonymous namespace before it includes this one,
//   constexpr int vector_bytes;
#pragma once

#include <cstdint>

#include "kernels/isa/block_locate.hpp"
#include "kernels/isa/register_tile.hpp"
#include "kernels/isa/scatter_body.hpp"

namespace ricci::kernels::isa {
namespace {

constexpr Index max_step = 256;  // how far apart memory neighbours are looked for

// The least distance at which an offset is followed by its neighbour in memory; 0 where none is near.
Index neighbour_step(const Index* offset, Index count) {
  for (Index step = 1; step < smaller(count, max_step + 1); ++step) {
    if (offset[step] == offset[0] + 1) return step;
  }
  return 0;
}

// Rows [first, first + count) of the block as rows [row, row + count) of a panel, element by element; in vector gathers
// where the instruction set has them.
struct PanelPart {
  Index first;
  int row, count, width;
};

template <class Real, int pairs, bool weighted, bool is_complex>
void gather_part(const PackJob<Real>& job, PanelPart part, Real* panel) {
  const Rows rows(job.block, part.first, part.count);
  alignas(64) Index at[max_width];
  alignas(64) double factor[max_width];
  for (Index c = 0; c < job.block.columns; ++c) {
    locate<pairs, weighted>(job.block, rows, part.count, c, at, factor);
    if constexpr (!is_complex) {
      Real* const to = panel + c * part.width + part.row;
      if (!weighted && !job.accumulate) {
        for (int r = 0; r < part.count; ++r) to[r] = job.data[at[r]];
        continue;
      }
      for (int r = 0; r < part.count; ++r) {
        const Real f = weighted ? Real(factor[r] * job.scale) : Real(1);
        const Real x = f == 0 ? Real(0) : job.data[at[r]] * f;
        to[r] = job.accumulate ? to[r] + x : x;
      }
    } else {
      const int step = job.split ? 1 : 2;
      Real* const re = panel + 2 * c * part.width + part.row * step;
      Real* const im = job.split ? re + part.width : re + 1;
      for (int r = 0; r < part.count; ++r) {
        const Real f = weighted ? Real(factor[r] * job.scale) : Real(1);
        const Real x = f == 0 ? Real(0) : job.data[2 * at[r]] * f;
        const Real y = f == 0 ? Real(0) : job.data[2 * at[r] + 1] * f;
        const Real z = job.conjugate ? -y : y;
        re[r * step] = job.accumulate ? re[r * step] + x : x;
        im[r * step] = job.accumulate ? im[r * step] + z : z;
      }
    }
  }
}

// A whole panel, padded with zeros.
template <class Real, bool is_complex>
void gather_panel(const PackJob<Real>& job, const Panel& panel) {
  const bool weighted = is_weighted(job.block) || job.scale != 1;
  Real* const out = job.out + panel.start * (is_complex ? 2 : 1);
  for (int row = 0; row < panel.count; row += max_width) {
    const PanelPart part{panel.first + row, row, static_cast<int>(smaller(max_width, panel.count - row)), panel.width};
    with_pair_count(job.block.pairs, [&]<int pairs>() {
      weighted ? gather_part<Real, pairs, true, is_complex>(job, part, out)
               : gather_part<Real, pairs, false, is_complex>(job, part, out);
    });
  }
  if (panel.count == panel.width || job.accumulate) return;
  const int step = is_complex && !job.split ? 2 : 1;
  for (Index c = 0; c < job.block.columns; ++c) {
    Real* const to = out + c * panel.width * (is_complex ? 2 : 1);
    for (int r = panel.count * step; r < panel.width * step; ++r) to[r] = 0;
    for (int r = panel.width + panel.count; is_complex && job.split && r < 2 * panel.width; ++r) to[r] = 0;
  }
}

// Panels of one width whose rows all lie side by side in memory: whole columns are copied, through all the panels at
// once, since the processor reads ahead along a run and not from column to column.
template <class Real, int vectors>
void copy_panels(const Real* data, const Index* column_offset, Index columns, Real* out, Index panels, Index distance) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  using V = typename Vector<Real, lanes>::Type;
  for (Index c = 0; c < columns; ++c, out += vectors * lanes) {
    const Real* from = data + column_offset[c];
    Real* to = out;
    for (Index p = 0; p < panels; ++p, from += vectors * lanes, to += distance) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) store(to + v * lanes, load<V>(from + v * lanes));
    }
  }
}

template <class Real>
void copy_any_panels(const Real* data, const Index* column_offset, Index columns, int width, Real* out, Index panels) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  const Index distance = width * columns;
  switch (width % lanes == 0 ? width / lanes : 0) {
    case 1:
      return copy_panels<Real, 1>(data, column_offset, columns, out, panels, distance);
    case 2:
      return copy_panels<Real, 2>(data, column_offset, columns, out, panels, distance);
    case 3:
      return copy_panels<Real, 3>(data, column_offset, columns, out, panels, distance);
    default:
      break;
  }
  for (Index p = 0; p < panels; ++p) {
    for (Index c = 0; c < columns; ++c) {
      const Real* const from = data + column_offset[c] + p * width;
      for (int r = 0; r < width; ++r) out[p * distance + c * width + r] = from[r];
    }
  }
}

// How many panels from p on hold, one after the other in memory, one run of rows.
template <class Real>
int panels_in_run(const PackJob<Real>& job, int p) {
  constexpr int most = 16;  // as many streams are written at once
  const Panel& first = job.panels[p];
  if (first.count != first.width) return 0;
  int count = 0;
  for (; count < most && p + count < job.panel_count; ++count) {
    const Panel& panel = job.panels[p + count];
    const Index row = panel.first - first.first;
    const bool follows = panel.count == first.count && panel.width == first.width && row == count * first.count &&
                         panel.start == first.start + row * job.block.columns &&
                         is_run(job.block.row_offset + panel.first, 1, panel.count) &&
                         job.block.row_offset[panel.first] == job.block.row_offset[first.first] + row;
    if (!follows) break;
  }
  return count;
}

// Element by element, rows [row, row + rows) of a panel, the columns first, first + step, ….
template <class Real>
void gather_some(const PackJob<Real>& job, const Index* row_offset, int rows, Index first, Index step, int columns,
                 int width, Real* out) {
  for (int j = 0; j < columns; ++j) {
    const Index c = first + j * step;
    const Real* const from = job.data + job.block.column_offset[c];
    for (int r = 0; r < rows; ++r) out[c * width + r] = from[row_offset[r]];
  }
}

// A panel whose columns are neighbours in memory at a distance of `step`: squares are transposed in registers.
template <class Real>
void transpose_columns(const PackJob<Real>& job, Index step, const Panel& panel) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  using V = typename Vector<Real, lanes>::Type;
  const Index* const row_offset = job.block.row_offset + panel.first;
  const Index* const column_offset = job.block.column_offset;
  const Index columns = job.block.columns;
  Real* const out = job.out + panel.start;
  for (Index block = 0; block < columns; block += lanes * step) {
    for (Index c = block; c < smaller(block + step, columns); ++c) {
      const int ahead = static_cast<int>(smaller(lanes, (columns - c + step - 1) / step));
      if (ahead < lanes || !is_run(column_offset + c, step, lanes)) {
        gather_some(job, row_offset, panel.count, c, step, ahead, panel.width, out);
        continue;
      }
      const Real* const from = job.data + column_offset[c];
      int r = 0;
      for (; r + lanes <= panel.count; r += lanes) {
        V row[lanes];
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) row[i] = load<V>(from + row_offset[r + i]);
        butterfly<lanes, 1, lanes / 2>(row);
#pragma GCC unroll 16
        for (int j = 0; j < lanes; ++j) store(out + (c + j * step) * panel.width + r, row[j]);
      }
      if (r < panel.count) gather_some(job, row_offset + r, panel.count - r, c, step, lanes, panel.width, out + r);
    }
  }
  for (Index c = 0; c < columns; ++c) {
    for (int r = panel.count; r < panel.width; ++r) out[c * panel.width + r] = 0;
  }
}

// How many panels after `p` the one stands whose rows follow those of p in memory; 0 where there is none.
template <class Real>
int panel_stride(const PackJob<Real>& job, int p, Index step) {
  for (int q = 1; p + q < job.panel_count; ++q) {
    if (job.panels[p + q].first == job.panels[p].first + step) return q;
    if (job.panels[p + q].first > job.panels[p].first + step) break;
  }
  return 0;
}

// Whether the panels p, p + stride, … (one for each lane) hold rows that are neighbours in memory, one panel the next.
template <class Real>
bool rows_are_runs(const PackJob<Real>& job, int p, int stride, Index step) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  const Panel& panel = job.panels[p];
  if (panel.count % lanes != 0 || p + (lanes - 1) * stride >= job.panel_count) return false;
  for (int j = 1; j < lanes; ++j) {
    const Panel& other = job.panels[p + j * stride];
    if (other.first != panel.first + j * step || other.count != panel.count || other.width != panel.width) return false;
  }
  for (int r = 0; r < panel.count; ++r) {
    if (!is_run(job.block.row_offset + panel.first + r, step, lanes)) return false;
  }
  return true;
}

// The panels p, p + stride, …, one for each lane: squares of rows x panels are transposed in registers.
template <class Real>
void transpose_rows(const PackJob<Real>& job, int p, int stride) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  using V = typename Vector<Real, lanes>::Type;
  const Panel& panel = job.panels[p];
  const Index* const row_offset = job.block.row_offset + panel.first;
  Real* to[lanes];
  for (int j = 0; j < lanes; ++j) to[j] = job.out + job.panels[p + j * stride].start;
  for (int r = 0; r < panel.count; r += lanes) {
    for (Index c = 0; c < job.block.columns; ++c) {
      const Real* const from = job.data + job.block.column_offset[c];
      V row[lanes];
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) row[i] = load<V>(from + row_offset[r + i]);
      butterfly<lanes, 1, lanes / 2>(row);
#pragma GCC unroll 16
      for (int j = 0; j < lanes; ++j) store(to[j] + c * panel.width + r, row[j]);
    }
  }
  for (int j = 0; j < lanes && panel.count < panel.width; ++j) {
    for (Index c = 0; c < job.block.columns; ++c) {
      for (int r = panel.count; r < panel.width; ++r) to[j][c * panel.width + r] = 0;
    }
  }
}

template <class Real>
void pack_real(const PackJob<Real>& job) {
  constexpr int lanes = vector_bytes / static_cast<int>(sizeof(Real));
  const Block& block = job.block;
  const bool plain = block.pairs == 0 && block.tables == 0 && !block.row_factor && !block.column_factor &&
                     job.scale == 1 && !job.accumulate;
  const Index row_step = plain ? neighbour_step(block.row_offset, block.rows) : 0;
  const Index column_step = plain && row_step != 1 ? neighbour_step(block.column_offset, block.columns) : 0;
  for (int p = 0; p < job.panel_count; ++p) {
    const Panel& panel = job.panels[p];
    const int stride = row_step > 1 ? panel_stride(job, p, row_step) : 0;
    if (stride > 0) {
      bool all = true;
      for (int q = p; q < p + stride; ++q) all = all && rows_are_runs(job, q, stride, row_step);
      if (all) {
        for (int q = p; q < p + stride; ++q) transpose_rows(job, q, stride);
        p += lanes * stride - 1;
        continue;
      }
    }
    const int in_run = row_step == 1 ? panels_in_run(job, p) : 0;
    if (in_run > 0) {
      copy_any_panels(job.data + block.row_offset[panel.first], block.column_offset, block.columns, panel.width,
                      job.out + panel.start, in_run);
      p += in_run - 1;
    } else if (column_step > 0) {
      transpose_columns(job, column_step, panel);
    } else {
      gather_panel<Real, false>(job, panel);
    }
  }
}

template <class Real>
void pack_complex(const PackJob<Real>& job) {
  for (int p = 0; p < job.panel_count; ++p) gather_panel<Real, true>(job, job.panels[p]);
}

template <class Real>
constexpr PackKernels<Real> pack_kernels{pack_real<Real>, pack_complex<Real>, scatter<Real, false>,
                                         scatter<Real, true>};

}  // namespace
}  // namespace ricci::kernels::isa
