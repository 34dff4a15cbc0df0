// The last step of a transposition: rows go from where they were assembled to the output, scaled, conjugated
// or added on the way. Same rules as transpose_body.hpp, which it completes.
#pragma once

#include "kernels/isa/transpose_body.hpp"

namespace ricci::kernels::isa {
namespace {

template <class V, int... i>
[[gnu::always_inline]] inline V swap_pairs(V v, Lanes<i...>) {
  return __builtin_shufflevector(v, v, (i ^ 1)...);
}

// The coefficients as lanes, made once for many rows.
template <class Lane>
struct Coefficients {
  static constexpr int width = vector_bytes / static_cast<int>(sizeof(Lane));
  Lane same[width], cross[width];

  explicit Coefficients(const Finish& f) {
    for (int i = 0; i < width; ++i) {
      same[i] = static_cast<Lane>(f.same[i & 1]);
      cross[i] = static_cast<Lane>(f.cross[i & 1]);
    }
  }
};

// Contiguous lanes, in vectors of `width` and then in ever shorter ones. Complex numbers never reach the single lane.
template <class Lane, int width, bool has_cross, bool accumulate>
[[gnu::always_inline]] inline void finish_lanes(const char* in, char* out, Index lanes, const Coefficients<Lane>& c) {
  using V = typename Vector<Lane, width>::Type;
  const V same = load<V>(c.same), cross = load<V>(c.cross);
  constexpr Index step = width * sizeof(Lane);
  for (; lanes >= width; lanes -= width, in += step, out += step) {
    const V x = load<V>(in);
    V y = x * same;
    if constexpr (has_cross && width > 1) y += swap_pairs(x, typename CountLanes<width>::Type{}) * cross;
    if constexpr (accumulate) y += load<V>(out);
    store(out, y);
  }
  if constexpr (width > 1) finish_lanes<Lane, width / 2, has_cross, accumulate>(in, out, lanes, c);
}

template <class Lane>
void finish_contiguous(const char* in, char* out, Index lanes, const Finish& f, const Coefficients<Lane>& c) {
  constexpr int width = Coefficients<Lane>::width;
  if (f.has_cross && f.accumulate)
    finish_lanes<Lane, width, true, true>(in, out, lanes, c);
  else if (f.has_cross)
    finish_lanes<Lane, width, true, false>(in, out, lanes, c);
  else if (f.accumulate)
    finish_lanes<Lane, width, false, true>(in, out, lanes, c);
  else
    finish_lanes<Lane, width, false, false>(in, out, lanes, c);
}

// Fetches the next line into the second-level cache; does nothing once all have been.
[[gnu::always_inline]] inline void fetch_line(Ahead& ahead) {
  if (ahead.line == nullptr) return;
  __builtin_prefetch(ahead.line, 0, 2);
  ahead.line += 64;
  if (ahead.line < ahead.run + ahead.run_bytes) return;
  for (int i = 0; i < ahead.count; ++i) {
    Ahead::Step& step = ahead.steps[i];
    ahead.run += step.stride;
    if (++step.at < step.extent) {
      ahead.line = ahead.run - (reinterpret_cast<std::uintptr_t>(ahead.run) & 63);
      return;
    }
    ahead.run -= step.stride * step.extent;
    step.at = 0;
  }
  ahead.line = nullptr;
}

// Sends one line past the cache: its first `cut` bytes come from `low`, the others are those that begin at `high`.
template <class L>
[[gnu::always_inline]] inline void stream_line(const char* low, const char* high, Index cut, char* out) {
  using V = typename Vector<typename L::Lane, L::per_vector>::Type;
  using Integer = typename IntegerOf<L::bytes>::Type;
  using I = typename Vector<Integer, L::per_vector>::Type;
#pragma GCC unroll 4
  for (int j = 0; j < 64; j += vector_bytes) {
    I position;
    for (int i = 0; i < L::per_vector; ++i) position[i] = static_cast<Integer>(j + i * L::bytes);
    const V a = load<V>(low + j), b = load<V>(high - cut + j);
    const I cuts = I{} + static_cast<Integer>(cut);
    stream_vector(out + j, position < cuts ? a : b);
  }
}

// Rows that follow one another in the output without a gap go past the cache as whole lines. What is left at
// the end of a run waits in front of it in the buffer if the next block goes on there, and is written in part,
// through the cache, if not. Rows have two lines or more.
template <class E>
void stream_run(const Plane& p, char* in, char* out, const Finish& finish, Ahead& ahead) {
  using Lane = Element<typename E::Lane, 1>;
  using V = typename Vector<typename E::Lane, Lane::per_vector>::Type;
  const auto copy = [](const char* from, char* to, Index bytes) {
    copy_row<Lane, Lane::per_vector>(from, to, bytes / Lane::bytes);
  };
  const Index row = p.b_extent * E::bytes, total = row * p.a_extent;
  const Index before = static_cast<Index>(reinterpret_cast<std::uintptr_t>(out) & 63);
  Index done = finish.continues ? -before : -before & 63;
  if (!finish.continues) copy(in, out, done);
  Index at = done;
  for (Index a = 0; a < p.a_extent; ++a) {
    const char* from = in + a * p.a_in;
    for (; at + 64 <= row; at += 64, done += 64) {
      // Every other line only: measured best, since fetching and streaming compete for the same line buffers.
      if (done & 64) fetch_line(ahead);
#pragma GCC unroll 4
      for (int j = 0; j < 64; j += vector_bytes) stream_vector(out + done + j, load<V>(from + at + j));
    }
    if (a + 1 < p.a_extent && at < row) {
      stream_line<Lane>(from + at, from + p.a_in, row - at, out + done);
      at += 64;
      done += 64;
    }
    at -= row;
  }
  const Index rest = total - done;
  copy(in + (p.a_extent - 1) * p.a_in + row - rest, finish.goes_on ? in - rest : out + done, rest);
  fetch_line(ahead);
}

template <class E>
void finish_rows(const Nest& nest, void* in, void* out, const Finish& finish, Ahead& ahead) {
  using Lane = typename E::Lane;
  const Coefficients<Lane> coefficients(finish);
  const auto rows = [&](const Plane& p, const char* from, char* to, const char*) {
    const bool contiguous = p.b_in == E::bytes && p.b_out == E::bytes;
    if (contiguous && finish.stream) {
      char* source = const_cast<char*>(from);
      if (p.a_out == p.b_extent * E::bytes) return stream_run<E>(p, source, to, finish, ahead);
      Plane one = p;
      one.a_extent = 1;
      for (Index a = 0; a < p.a_extent; ++a) stream_run<E>(one, source + a * p.a_in, to + a * p.a_out, finish, ahead);
      return;
    }
    for (Index a = 0; a < p.a_extent; ++a) {
      const char* source = from + a * p.a_in;
      char* target = to + a * p.a_out;
      if (!contiguous) {
        for (Index b = 0; b < p.b_extent; ++b)
          finish_contiguous<Lane>(source + b * p.b_in, target + b * p.b_out, E::lanes, finish, coefficients);
      } else if (!finish.plain) {
        finish_contiguous<Lane>(source, target, p.b_extent * E::lanes, finish, coefficients);
      } else {
        copy_row<E, E::per_vector>(source, target, p.b_extent);
      }
    }
  };
  walk<E>(nest, static_cast<const char*>(in), static_cast<char*>(out), rows);
}

using Float = Element<float, 1>;
using Double = Element<double, 1>;
using ComplexFloat = Element<float, 2>;
using ComplexDouble = Element<double, 2>;

// Moves look at sizes only, so that a complex<float> travels as a double.
constexpr TransposeIsa isa_named(const char* name) {
  return {name,
          kernels_of<Float>(),
          kernels_of<Double>(),
          kernels_of<ComplexDouble>(),
          finish_rows<Float>,
          finish_rows<Double>,
          finish_rows<ComplexFloat>,
          finish_rows<ComplexDouble>,
          stream_fence};
}

}  // namespace
}  // namespace ricci::kernels::isa
