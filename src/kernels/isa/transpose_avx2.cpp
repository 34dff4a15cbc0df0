#include <immintrin.h>

namespace ricci::kernels::isa {
namespace {

constexpr int vector_bytes = 32;

template <class V>
inline void stream_vector(void* to, V v) {
  _mm256_stream_si256(static_cast<__m256i*>(to), reinterpret_cast<__m256i>(v));
}

inline void stream_fence() { _mm_sfence(); }

}  // namespace
}  // namespace ricci::kernels::isa

#include "kernels/isa/transpose_finish.hpp"

namespace ricci::kernels::isa {

const TransposeIsa& transpose_avx2() {
  static constexpr TransposeIsa isa = isa_named("avx2");
  return isa;
}

}  // namespace ricci::kernels::isa
