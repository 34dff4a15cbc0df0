// The inner kernels of a transposition, written once over GCC vector extensions and compiled once for each
// instruction set. The including file defines, in an anonymous namespace before it includes this one,
//   constexpr int vector_bytes;                       the widest register
//   void stream_vector(void* to, V v);                one aligned register past the cache
//   void stream_fence();
// Everything here has internal linkage and uses no standard template: code made for one instruction set must
// not be shared with the rest of the library by the linker.
#pragma once

#include <cstdint>

#include "kernels/isa/register_tile.hpp"
#include "kernels/isa/transpose_kernels.hpp"

namespace ricci::kernels::isa {
namespace {

using Index = std::int64_t;

// An element is `lanes` numbers of type Lane that travel together.
template <class LaneType, int lane_count>
struct Element {
  using Lane = LaneType;
  static constexpr int lanes = lane_count;
  static constexpr int bytes = lanes * static_cast<int>(sizeof(Lane));
  static constexpr int per_vector = vector_bytes / bytes;
};

// The integer as wide as a lane.
template <int bytes>
struct IntegerOf {
  using Type = std::int32_t;
};
template <>
struct IntegerOf<8> {
  using Type = std::int64_t;
};

template <class H, int... i>
[[gnu::always_inline]] inline auto join(H low, H high, Lanes<i...>) {
  return __builtin_shufflevector(low, high, i...);
}

// A width x width block through registers: out[c*out_stride + r] = in[r*in_stride + c]. The first stage of the
// butterfly is done by loading half rows, since the load ports have room and the shuffle port has none.
template <class E, int width>
[[gnu::always_inline]] inline void micro_tile(const char* in, Index in_stride, char* out, Index out_stride) {
  constexpr int total = width * E::lanes, half = width / 2;
  using V = typename Vector<typename E::Lane, total>::Type;
  V row[width];
  if constexpr (total > 2) {
    using H = typename Vector<typename E::Lane, total / 2>::Type;
    using All = typename CountLanes<total>::Type;
    constexpr int half_bytes = half * E::bytes;
#pragma GCC unroll 16
    for (int r = 0; r < half; ++r) {
      const char* upper = in + r * in_stride;
      const char* lower = in + (r + half) * in_stride;
      row[r] = join(load<H>(upper), load<H>(lower), All{});
      row[r + half] = join(load<H>(upper + half_bytes), load<H>(lower + half_bytes), All{});
    }
    butterfly<width, E::lanes, half / 2>(row);
  } else {
#pragma GCC unroll 2
    for (int r = 0; r < width; ++r) row[r] = load<V>(in + r * in_stride);
    butterfly<width, E::lanes, half>(row);
  }
#pragma GCC unroll 16
  for (int r = 0; r < width; ++r) store(out + r * out_stride, row[r]);
}

template <class E>
[[gnu::always_inline]] inline void copy_element(const char* in, char* out) {
  __builtin_memcpy(out, in, E::bytes);
}

// The two innermost loops of a nest in bytes: `a` walks the inner direction of in, `b` that of out.
struct Plane {
  Index a_extent, b_extent;
  Index a_in, b_in, a_out, b_out;
};

template <class E>
void scattered_plane(const Plane& p, const char* in, char* out, const char*) {
  for (Index a = 0; a < p.a_extent; ++a)
    for (Index b = 0; b < p.b_extent; ++b)
      copy_element<E>(in + a * p.a_in + b * p.b_in, out + a * p.a_out + b * p.b_out);
}

// A remainder of up to a quarter of a tile is moved element by element; a longer one by a whole tile that
// overlaps its neighbour and writes the same values again.
template <class E, int width>
void tile_plane(const Plane& p, const char* in, char* out, const char* next) {
  if constexpr (width == 1) {
    scattered_plane<E>(p, in, out, next);
  } else {
    if (p.a_extent < width || p.b_extent < width) return tile_plane<E, width / 2>(p, in, out, next);
    const auto covered = [](Index extent) {
      const Index rest = extent % width;
      return rest * 4 <= width ? extent - rest : extent;
    };
    const Index a_covered = covered(p.a_extent), b_covered = covered(p.b_extent);
    for (Index strip = 0; strip < b_covered; strip += width) {
      const Index b = strip + width <= p.b_extent ? strip : p.b_extent - width;
      const char* from = in + b * p.b_in;
      // The strip after this one is fetched while this one is shuffled: strips lie on other pages, where the
      // hardware would not look.
      const char* ahead = strip + width < b_covered ? from + width * p.b_in : next;
      char* to = out + b * E::bytes;
      for (Index step = 0; step < a_covered; step += width) {
        const Index a = step + width <= p.a_extent ? step : p.a_extent - width;
#pragma GCC unroll 16
        for (int r = 0; r < width; ++r) __builtin_prefetch(ahead + a * E::bytes + r * p.b_in);
        micro_tile<E, width>(from + a * E::bytes, p.b_in, to + a * p.a_out, p.a_out);
      }
    }
    for (Index b = b_covered; b < p.b_extent; ++b)
      for (Index a = 0; a < a_covered; ++a)
        copy_element<E>(in + a * E::bytes + b * p.b_in, out + a * p.a_out + b * E::bytes);
    for (Index a = a_covered; a < p.a_extent; ++a)
      for (Index b = 0; b < p.b_extent; ++b)
        copy_element<E>(in + a * E::bytes + b * p.b_in, out + a * p.a_out + b * E::bytes);
  }
}

// A row of n elements; the last vector overlaps the one before it.
template <class E, int width>
[[gnu::always_inline]] inline void copy_row(const char* in, char* out, Index n) {
  if constexpr (width == 1) {
    for (Index i = 0; i < n; ++i) copy_element<E>(in + i * E::bytes, out + i * E::bytes);
  } else {
    using V = typename Vector<typename E::Lane, width * E::lanes>::Type;
    if (n < width) return copy_row<E, width / 2>(in, out, n);
    for (Index i = 0; i + width < n; i += width) store(out + i * E::bytes, load<V>(in + i * E::bytes));
    const Index last = (n - width) * E::bytes;
    store(out + last, load<V>(in + last));
  }
}

template <class E>
void row_plane(const Plane& p, const char* in, char* out, const char*) {
  for (Index a = 0; a < p.a_extent; ++a) copy_row<E, E::per_vector>(in + a * p.a_in, out + a * p.a_out, p.b_extent);
}

// Walks the loops around the last two, knowing at each step where reading goes on.
template <class E, class Inner>
void walk(const Nest& nest, const char* in, char* out, Inner&& inner) {
  const Loop& loop = nest.loops[0];
  const Index in_step = loop.in_stride * E::bytes, out_step = loop.out_stride * E::bytes;
  if (nest.count == 2) {
    const Loop& last = nest.loops[1];
    inner(Plane{loop.extent, last.extent, in_step, last.in_stride * E::bytes, out_step, last.out_stride * E::bytes}, in,
          out, static_cast<const char*>(nest.next_in));
    return;
  }
  for (Index i = 0; i < loop.extent; ++i) {
    const char* from = in + i * in_step;
    const void* next = i + 1 < loop.extent ? from + in_step : nest.next_in;
    walk<E>(Nest{nest.loops + 1, nest.count - 1, next}, from, out + i * out_step, inner);
  }
}

template <class E, auto plane>
void move(const Nest& nest, const void* in, void* out) {
  walk<E>(nest, static_cast<const char*>(in), static_cast<char*>(out),
          [](const Plane& p, const char* from, char* to, const char* next) { plane(p, from, to, next); });
}

template <class E>
constexpr TransposeKernels kernels_of() {
  return {move<E, row_plane<E>>, move<E, tile_plane<E, E::per_vector>>, move<E, scattered_plane<E>>};
}

}  // namespace
}  // namespace ricci::kernels::isa
