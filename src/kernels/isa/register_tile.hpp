// Square tiles of numbers transposed in registers, over GCC vector extensions. Internal linkage, no standard template:
// code made for one instruction set must not be shared with the rest of the library by the linker.
#pragma once

namespace ricci::kernels::isa {
namespace {

template <class Lane, int lanes>
struct Vector {
  typedef Lane Type __attribute__((vector_size(lanes * sizeof(Lane))));
};

template <class V>
[[gnu::always_inline]] inline V load(const void* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

template <class V>
[[gnu::always_inline]] inline void store(void* to, V v) {
  __builtin_memcpy(to, &v, sizeof v);
}

template <int... i>
struct Lanes {};
template <int n, int... i>
struct CountLanes : CountLanes<n - 1, n - 1, i...> {};
template <int... i>
struct CountLanes<0, i...> {
  using Type = Lanes<i...>;
};

// Exchanges the off-diagonal blocks of `step` lanes between two rows: one stage of the butterfly.
template <int step, int total, class V, int... i>
[[gnu::always_inline]] inline void exchange(V& upper, V& lower, Lanes<i...>) {
  const V a = upper, b = lower;
  upper = __builtin_shufflevector(a, b, ((i & step) ? total + i - step : i)...);
  lower = __builtin_shufflevector(a, b, ((i & step) ? total + i : i + step)...);
}

// Transposes width x width elements of `lanes` numbers each: log2(width) stages, each exchanging blocks of half the
// size of the one before.
template <int width, int lanes, int step, class V>
[[gnu::always_inline]] inline void butterfly(V* row) {
  if constexpr (step > 0) {
    constexpr int total = width * lanes;
#pragma GCC unroll 16
    for (int r = 0; r < width; ++r)
      if ((r & step) == 0) exchange<step * lanes, total>(row[r], row[r + step], typename CountLanes<total>::Type{});
    butterfly<width, lanes, step / 2>(row);
  }
}

}  // namespace
}  // namespace ricci::kernels::isa
