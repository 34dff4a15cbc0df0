namespace ricci::kernels::isa {
namespace {

// Every machine we know has registers of 16 bytes. Portable code has no store past the cache: it copies.
constexpr int vector_bytes = 16;

template <class V>
inline void stream_vector(void* to, V v) {
  __builtin_memcpy(to, &v, sizeof v);
}

inline void stream_fence() {}

}  // namespace
}  // namespace ricci::kernels::isa

#include "kernels/isa/transpose_finish.hpp"

namespace ricci::kernels::isa {

const TransposeIsa& transpose_base() {
  static constexpr TransposeIsa isa = isa_named("base");
  return isa;
}

}  // namespace ricci::kernels::isa
