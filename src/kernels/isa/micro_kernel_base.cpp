#include "kernels/isa/micro_kernel_body.hpp"

namespace ricci::kernels {
namespace {

// 16-byte vectors, which every 64-bit platform has, and 16 registers as with SSE2. Real: 2*6 sums,
// 2 vectors of a, 1 element of b, 1 product. Complex: twice 4 sums, 2 vectors of a, 2 parts of b,
// 2 products.
template <class T>
constexpr MicroKernels<T> kernels = kernels_of<T, 16, is_real<T> ? 2 : 1, is_real<T> ? 6 : 4>("base");

}  // namespace

template <class T>
const MicroKernels<T>& base_micro_kernels() {
  return kernels<T>;
}

template const MicroKernels<float>& base_micro_kernels();
template const MicroKernels<double>& base_micro_kernels();
template const MicroKernels<std::complex<float>>& base_micro_kernels();
template const MicroKernels<std::complex<double>>& base_micro_kernels();

}  // namespace ricci::kernels
