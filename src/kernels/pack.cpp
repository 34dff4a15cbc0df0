#include "kernels/pack.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "kernels/isa/pack_kernels.hpp"

namespace ricci::kernels {

namespace {

struct Place {
  std::int64_t offset;
  double factor;
};

inline Place place_in_pair(const CrossPair& pair, std::int64_t row, std::int64_t column, bool is_output) {
  const std::int64_t x = pair.row_value[row], y = pair.column_value[column];
  const std::int64_t low = std::min(x, y), high = std::max(x, y);
  if (pair.kind == SymmetryKind::symmetric) {
    return {pair.stride * (high * (high + 1) / 2 + low), is_output && x == y ? 2.0 : 1.0};
  }
  if (x == y) return {0, 0.0};
  const bool swapped = (x > y) == pair.row_first;
  const double sign = pair.kind == SymmetryKind::antisymmetric && swapped ? -1.0 : 1.0;
  return {pair.stride * (high * (high - 1) / 2 + low), sign};
}

/// One element, for blocks that the kernels cannot do. `values` is room for a value of each label.
Place place_of(const BlockView& view, std::int64_t row, std::int64_t column, std::vector<std::int64_t>& values) {
  Place place{view.row_offset[row] + view.column_offset[column], 1.0};
  if (view.row_factor) place.factor *= view.row_factor[row];
  if (view.column_factor) place.factor *= view.column_factor[column];
  for (const CrossPair& pair : view.pairs) {
    const Place more = place_in_pair(pair, row, column, view.is_output);
    place.offset += more.offset;
    place.factor *= more.factor;
  }
  for (const CrossTable& cross : view.tables) {
    const std::int64_t number = cross.row_number[row] + cross.column_number[column];
    place.offset += cross.table->offset[number];
    place.factor *= cross.table->factor[number];
  }
  for (const GroupAccess* group : view.general) {
    for (int label : group->labels) {
      const auto &in_row = view.row_block->values[label], &in_column = view.column_block->values[label];
      if (!in_row.empty()) values[label] = in_row[row];
      if (!in_column.empty()) values[label] = in_column[column];
    }
    const GroupOffset more = locate_group(*group, values.data());
    place.offset += more.offset;
    place.factor *= more.factor;
  }
  return place;
}

std::vector<std::int64_t> values_of_fixed(const BlockView& view) {
  std::vector<std::int64_t> values(view.row_block->values.size(), 0);
  if (view.fixed_values) std::copy_n(view.fixed_values, values.size(), values.begin());
  return values;
}

template <class Real>
const isa::PackKernels<Real>& kernels() {
  static const isa::PackKernels<Real>& chosen = [&]() -> const isa::PackKernels<Real>& {
#if RICCI_X86_64_KERNELS
    switch (chosen_isa()) {
      case Isa::avx512:
        return isa::avx512_pack_kernels<Real>();
      case Isa::avx2:
        return isa::avx2_pack_kernels<Real>();
      case Isa::base:
        break;
    }
#endif
    return isa::base_pack_kernels<Real>();
  }();
  return chosen;
}

/// Whether the kernels of the instruction sets can do it: not those groups that must be located one by one.
bool is_simple(const BlockView& view) {
  return view.general.empty() && view.pairs.size() <= isa::Block::max_pairs &&
         view.tables.size() <= isa::Block::max_tables;
}

isa::Block block_of(const BlockView& view, Window window) {
  isa::Block block{window.rows,
                   window.columns,
                   view.row_offset + window.row,
                   view.column_offset + window.column,
                   view.row_factor ? view.row_factor + window.row : nullptr,
                   view.column_factor ? view.column_factor + window.column : nullptr,
                   static_cast<int>(view.pairs.size()),
                   {},
                   static_cast<int>(view.tables.size()),
                   {}};
  for (std::size_t p = 0; p < view.pairs.size(); ++p) {
    const CrossPair& pair = view.pairs[p];
    const bool strict = pair.kind != SymmetryKind::symmetric;
    const bool signs = pair.kind == SymmetryKind::antisymmetric;
    block.pair[p] = {pair.row_value + window.row,
                     pair.column_value + window.column,
                     pair.stride,
                     strict,
                     signs && pair.row_first ? -1 : 1,
                     signs && !pair.row_first ? -1 : 1,
                     strict           ? 0.0
                     : view.is_output ? 2.0
                                      : 1.0};
  }
  for (std::size_t t = 0; t < view.tables.size(); ++t) {
    const CrossTable& cross = view.tables[t];
    block.table[t] = {cross.row_number.data() + window.row, cross.column_number.data() + window.column,
                      cross.table->offset.data(), cross.table->factor.data()};
  }
  return block;
}

template <class T>
T conjugate_if(bool conjugate, T value) {
  if constexpr (std::is_same_v<T, Real<T>>) {
    (void)conjugate;
    return value;
  } else {
    return conjugate ? std::conj(value) : value;
  }
}

template <class T>
void store(Real<T>* panel, int width, int row, bool split, bool accumulate, T value) {
  if constexpr (std::is_same_v<T, Real<T>>) {
    panel[row] = accumulate ? panel[row] + value : value;
  } else {
    Real<T>& re = split ? panel[row] : panel[2 * row];
    Real<T>& im = split ? panel[width + row] : panel[2 * row + 1];
    re = accumulate ? re + value.real() : value.real();
    im = accumulate ? im + value.imag() : value.imag();
  }
}

}  // namespace

template <class T>
void pack(const BlockView& view, const T* data, bool conjugate, bool accumulate, double scale, PanelFormat format,
          Real<T>* out) {
  constexpr bool is_real = std::is_same_v<T, Real<T>>;
  if (is_simple(view) && scale != 0) {
    const isa::PackJob<Real<T>> job{block_of(view, {0, view.rows, 0, view.columns}),
                                    reinterpret_cast<const Real<T>*>(data),
                                    scale,
                                    conjugate,
                                    accumulate,
                                    format.panels.data(),
                                    static_cast<int>(format.panels.size()),
                                    format.split,
                                    out};
    is_real ? kernels<Real<T>>().pack_real(job) : kernels<Real<T>>().pack_complex(job);
    return;
  }
  std::vector<std::int64_t> values = values_of_fixed(view);
  constexpr int parts = is_real ? 1 : 2;
  for (const Panel& panel : format.panels) {
    for (std::int64_t c = 0; c < view.columns; ++c) {
      Real<T>* const column = out + (panel.start + c * panel.width) * parts;
      for (int r = 0; r < panel.count; ++r) {
        const Place place = place_of(view, panel.first + r, c, values);
        // A vanishing element has no place: it must not be read.
        const T value = place.factor * scale == 0
                            ? T(0)
                            : conjugate_if(conjugate, data[place.offset]) * static_cast<Real<T>>(place.factor * scale);
        store<T>(column, panel.width, r, format.split, accumulate, value);
      }
      for (int r = panel.count; r < panel.width && !accumulate; ++r) {
        store<T>(column, panel.width, r, format.split, false, T(0));
      }
    }
  }
}

template <class T>
void scatter(const BlockView& view, Window window, const T* tile, std::int64_t tile_step, bool accumulate, T* data) {
  if (is_simple(view)) {
    const isa::ScatterJob<Real<T>> job{block_of(view, window), reinterpret_cast<const Real<T>*>(tile), tile_step,
                                       accumulate, reinterpret_cast<Real<T>*>(data)};
    std::is_same_v<T, Real<T>> ? kernels<Real<T>>().scatter_real(job) : kernels<Real<T>>().scatter_complex(job);
    return;
  }
  std::vector<std::int64_t> values = values_of_fixed(view);
  for (std::int64_t c = 0; c < window.columns; ++c) {
    for (std::int64_t r = 0; r < window.rows; ++r) {
      const Place place = place_of(view, window.row + r, window.column + c, values);
      if (place.factor == 0) continue;  // the symmetry makes it vanish; it has no place of its own
      const T value = tile[c * tile_step + r] * static_cast<Real<T>>(place.factor);
      data[place.offset] = accumulate ? data[place.offset] + value : value;
    }
  }
}

#define RICCI_INSTANTIATE(T)                                                                    \
  template void pack<T>(const BlockView&, const T*, bool, bool, double, PanelFormat, Real<T>*); \
  template void scatter<T>(const BlockView&, Window, const T*, std::int64_t, bool, T*);
RICCI_INSTANTIATE(float)
RICCI_INSTANTIATE(double)
RICCI_INSTANTIATE(std::complex<float>)
RICCI_INSTANTIATE(std::complex<double>)
#undef RICCI_INSTANTIATE

}  // namespace ricci::kernels
