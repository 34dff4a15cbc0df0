#pragma once

// The register-tile kernel, written once for every instruction set. Each micro_kernel_<isa>.cpp
// includes this file and is compiled with flags of its own, so everything here has internal linkage
// and no function of the standard library is called: an inline function that was compiled for
// AVX-512 must never be the copy that the linker keeps for the rest of the program. For the same
// reason complex numbers are handled as pairs of reals, which std::complex guarantees they are.

#include <cstdint>

#include "kernels/micro_kernel.hpp"

// A tile stays in registers only if every loop over it is unrolled; no such loop is longer.
#define RICCI_UNROLL _Pragma("GCC unroll 16")
#define RICCI_INLINE [[gnu::always_inline]] inline

namespace ricci::kernels {
namespace {

using Index = std::int64_t;

constexpr Index cache_line = 64;

// How many steps ahead the operands are prefetched: enough to cover the latency of L2. It is worth
// nearly nothing for streams that the hardware follows, but much for b with a large b_step.
constexpr Index steps_ahead = 8;

template <class T>
constexpr int parts_of = sizeof(T) / sizeof(Real<T>);

template <class T>
constexpr bool is_real = parts_of<T> == 1;

template <class R, int Bytes>
struct Simd {
  typedef R Vector __attribute__((vector_size(Bytes)));
  static constexpr int lanes = Bytes / sizeof(R);

  RICCI_INLINE static Vector load(const R* from) {
    Vector v;
    __builtin_memcpy(&v, from, Bytes);
    return v;
  }

  RICCI_INLINE static void store(R* to, Vector v) { __builtin_memcpy(to, &v, Bytes); }

  // Past the caches, where the platform can.
  RICCI_INLINE static void stream(R* to, Vector v) {
    [[maybe_unused]] float* const place = reinterpret_cast<float*>(to);
    [[maybe_unused]] const auto bits = reinterpret_cast<typename Simd<float, Bytes>::Vector>(v);
#if defined(__AVX512F__)
    if constexpr (Bytes == 64) return __builtin_ia32_movntps512(place, bits);
#endif
#if defined(__AVX__)
    if constexpr (Bytes == 32) return __builtin_ia32_movntps256(place, bits);
#endif
#if defined(__SSE__)
    if constexpr (Bytes == 16) return __builtin_ia32_movntps(place, bits);
#endif
    store(to, v);
  }
};

// Hides where a value came from. The compiler then neither loads it again instead of keeping it,
// nor shares arithmetic on it between branches.
template <class Value>
RICCI_INLINE Value in_register(Value value) {
#if defined(__x86_64__)
  asm("" : "+v"(value));
#elif defined(__aarch64__)
  asm("" : "+w"(value));
#endif
  return value;
}

template <Index Bytes>
RICCI_INLINE void prefetch(const void* from) {
  RICCI_UNROLL for (Index i = 0; i < Bytes; i += cache_line) { __builtin_prefetch(static_cast<const char*>(from) + i); }
}

// The halves of re(0) im(0) re(1) im(1) ...
template <class Vector>
struct Interleaved {
  Vector lower, upper;
};

template <int Lanes, class Vector>
RICCI_INLINE Interleaved<Vector> interleave(Vector re, Vector im) {
  if constexpr (Lanes == 2) {
    return {__builtin_shufflevector(re, im, 0, 2), __builtin_shufflevector(re, im, 1, 3)};
  } else if constexpr (Lanes == 4) {
    return {__builtin_shufflevector(re, im, 0, 4, 1, 5), __builtin_shufflevector(re, im, 2, 6, 3, 7)};
  } else if constexpr (Lanes == 8) {
    return {__builtin_shufflevector(re, im, 0, 8, 1, 9, 2, 10, 3, 11),
            __builtin_shufflevector(re, im, 4, 12, 5, 13, 6, 14, 7, 15)};
  } else {
    static_assert(Lanes == 16);
    return {__builtin_shufflevector(re, im, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
            __builtin_shufflevector(re, im, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)};
  }
}

// One step of b, seen as reals. Packed promises b_column == 1, which makes the offsets constants.
template <int Parts, bool Packed>
struct StepOfB {
  Index b_column;
  RICCI_INLINE Index column(int j) const { return Parts * (Packed ? j : j * b_column); }
};

// The sums of one tile: sum(i,j) += a(i) b(j), one step of the depth at a time. Complex sums are
// kept as real and imaginary parts, as a is.
template <class T, int Bytes, int Vectors, int Columns>
struct Tile {
  using R = Real<T>;
  using S = Simd<R, Bytes>;
  using Vector = typename S::Vector;
  static constexpr int parts = parts_of<T>;
  static constexpr int columns = Columns;
  static constexpr int bytes_of_column = parts * Vectors * Bytes;

  // How many tiles take turns at the steps. Two FMA pipes of four cycles want well over eight
  // independent sums, which a small tile lacks. All turns, one step of a and one element of b must
  // fit the registers.
  static constexpr int turns() {
    constexpr int sums = parts * Vectors * Columns;
    constexpr int operands = parts * (Vectors + 1);
    constexpr int registers = Bytes == 64 ? 32 : 16;
    int count = 1;
    while (count < 4 && count * sums < 12 && 2 * count * sums + operands <= registers) count *= 2;
    return count;
  }

  Vector sum[parts][Vectors][Columns] = {};

  template <bool Packed>
  RICCI_INLINE void add_step(const R* a, const R* b, StepOfB<parts, Packed> step) {
    Vector av[parts][Vectors];
    RICCI_UNROLL for (int p = 0; p < parts; ++p) {
      RICCI_UNROLL for (int v = 0; v < Vectors; ++v) {
        av[p][v] = in_register(S::load(a + (p * Vectors + v) * S::lanes));
      }
    }
    RICCI_UNROLL for (int j = 0; j < Columns; ++j) {
      const R* const bj = b + step.column(j);
      RICCI_UNROLL for (int p = 0; p < parts; ++p) {
        RICCI_UNROLL for (int v = 0; v < Vectors; ++v) { sum[p][v][j] += av[p][v] * bj[0]; }
      }
      if constexpr (parts == 2) {
        RICCI_UNROLL for (int v = 0; v < Vectors; ++v) {
          sum[0][v][j] -= av[1][v] * bj[1];
          sum[1][v][j] += av[0][v] * bj[1];
        }
      }
    }
  }

  RICCI_INLINE void add(const Tile& other) {
    RICCI_UNROLL for (int p = 0; p < parts; ++p) {
      RICCI_UNROLL for (int v = 0; v < Vectors; ++v) {
        RICCI_UNROLL for (int j = 0; j < Columns; ++j) { sum[p][v][j] += other.sum[p][v][j]; }
      }
    }
  }

  template <Store mode>
  RICCI_INLINE static void put(R* x, Vector value) {
    if constexpr (mode == Store::stream) {
      S::stream(x, value);
    } else {
      S::store(x, mode == Store::accumulate ? S::load(x) + value : value);
    }
  }

  template <Store mode>
  RICCI_INLINE void store(const R* alpha, R* x, const Index* x_column) const {
    // Without in_register the product would be shared with the accumulating branch, which could
    // then not fuse it with its addition.
    R factor[parts];
    RICCI_UNROLL for (int p = 0; p < parts; ++p) {
      factor[p] = mode == Store::accumulate ? alpha[p] : in_register(alpha[p]);
    }
    RICCI_UNROLL for (int j = 0; j < Columns; ++j) {
      R* const xj = x + parts * x_column[j];
      RICCI_UNROLL for (int v = 0; v < Vectors; ++v) {
        R* const to = xj + v * parts * S::lanes;
        if constexpr (parts == 1) {
          put<mode>(to, factor[0] * sum[0][v][j]);
        } else {
          const Vector re = factor[0] * sum[0][v][j] - factor[1] * sum[1][v][j];
          const Vector im = factor[0] * sum[1][v][j] + factor[1] * sum[0][v][j];
          const auto natural = interleave<S::lanes>(re, im);
          put<mode>(to, natural.lower);
          put<mode>(to + S::lanes, natural.upper);
        }
      }
    }
  }
};

// Strides are in units of R.
template <class Sums, bool Fetches, bool Packed, class R = typename Sums::R>
RICCI_INLINE Sums product(Index depth, const R* a, Index a_step, const R* b, Index b_step,
                          StepOfB<Sums::parts, Packed> step, const Ahead& ahead) {
  constexpr int turns = Sums::turns();
  [[maybe_unused]] const char* line = static_cast<const char*>(ahead.at);
  [[maybe_unused]] const Index line_step = ahead.step;
  [[maybe_unused]] int until_turn = 8;
  const auto add_step_to = [&](Sums & sums) __attribute__((always_inline)) {
    // Fewer columns are limited by their loads, to which a prefetch would add.
    if constexpr (Sums::columns > 3) {
      prefetch<Sums::bytes_of_column>(a + steps_ahead * a_step);
      if constexpr (Packed) __builtin_prefetch(b + steps_ahead * b_step);
      if constexpr (Fetches) {
        __builtin_prefetch(line);
        line += line_step;
        if (--until_turn == 0) {
          line += ahead.turn;
          until_turn = 8;
        }
      }
    }
    sums.add_step(a, b, step);
    a += a_step;
    b += b_step;
  };
  Sums tile[turns];
  for (; depth >= turns; depth -= turns) {
    RICCI_UNROLL for (int t = 0; t < turns; ++t) { add_step_to(tile[t]); }
  }
  if constexpr (turns > 1) {
    RICCI_UNROLL for (int t = 1; t < turns; ++t) { tile[0].add(tile[t]); }
    for (; depth > 0; --depth) add_step_to(tile[0]);
  }
  return tile[0];
}

template <class T, int Bytes, int Vectors, int Columns>
void micro_kernel(Index depth, const Real<T>* a, Index a_step, const T* b, Index b_step, Index b_column, T alpha,
                  Store store, T* x, const Index* x_column, const Ahead& ahead) {
  using R = Real<T>;
  using Sums = Tile<T, Bytes, Vectors, Columns>;
  constexpr int parts = Sums::parts;
  if (store != Store::stream) {
    RICCI_UNROLL for (int j = 0; j < Columns; ++j) { prefetch<Sums::bytes_of_column>(x + x_column[j]); }
  }
  const R* const b_parts = reinterpret_cast<const R*>(b);
  // A step of the largest tiles is nearly all loads: one that fetches nothing of use would cost a tenth.
  const auto sums_of = [&]<bool Packed>(StepOfB<parts, Packed> step) __attribute__((always_inline)) {
    return ahead.at != nullptr ? product<Sums, true>(depth, a, a_step, b_parts, parts * b_step, step, ahead)
                               : product<Sums, false>(depth, a, a_step, b_parts, parts * b_step, step, ahead);
  };
  const Sums sums = b_column == 1 ? sums_of(StepOfB<parts, true>{1}) : sums_of(StepOfB<parts, false>{b_column});
  const R* const alpha_parts = reinterpret_cast<const R*>(&alpha);
  R* const x_parts = reinterpret_cast<R*>(x);
  switch (store) {
    case Store::overwrite:
      return sums.template store<Store::overwrite>(alpha_parts, x_parts, x_column);
    case Store::accumulate:
      return sums.template store<Store::accumulate>(alpha_parts, x_parts, x_column);
    case Store::stream:
      return sums.template store<Store::stream>(alpha_parts, x_parts, x_column);
  }
}

template <class T, int Bytes, int MaxVectors, int MaxColumns>
struct Table {
  typename MicroKernels<T>::Function kernels[MaxVectors * MaxColumns] = {};

  constexpr Table() { fill<0>(); }

  template <int I>
  constexpr void fill() {
    if constexpr (I < MaxVectors * MaxColumns) {
      kernels[I] = micro_kernel<T, Bytes, I / MaxColumns + 1, I % MaxColumns + 1>;
      fill<I + 1>();
    }
  }
};

template <class T, int Bytes, int MaxVectors, int MaxColumns>
constexpr Table<T, Bytes, MaxVectors, MaxColumns> table;

template <class T, int Bytes, int MaxVectors, int MaxColumns>
constexpr MicroKernels<T> kernels_of(const char* isa) {
  return {.lanes = Simd<Real<T>, Bytes>::lanes,
          .max_vectors = MaxVectors,
          .max_columns = MaxColumns,
          .isa = isa,
          .table = table<T, Bytes, MaxVectors, MaxColumns>.kernels};
}

}  // namespace
}  // namespace ricci::kernels

#undef RICCI_INLINE
#undef RICCI_UNROLL
