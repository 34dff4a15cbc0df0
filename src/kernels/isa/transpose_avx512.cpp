#include <immintrin.h>

namespace ricci::kernels::isa {
namespace {

constexpr int vector_bytes = 64;

template <class V>
inline void stream_vector(void* to, V v) {
  _mm512_stream_si512(static_cast<__m512i*>(to), reinterpret_cast<__m512i>(v));
}

inline void stream_fence() { _mm_sfence(); }

}  // namespace
}  // namespace ricci::kernels::isa

#include "kernels/isa/transpose_finish.hpp"

namespace ricci::kernels::isa {

const TransposeIsa& transpose_avx512() {
  static constexpr TransposeIsa isa = isa_named("avx512");
  return isa;
}

}  // namespace ricci::kernels::isa
