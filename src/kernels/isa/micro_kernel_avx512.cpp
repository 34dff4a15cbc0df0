#include "kernels/isa/micro_kernel_body.hpp"

namespace ricci::kernels {
namespace {

// 32 registers. Real: 3*8 sums, 3 vectors of a, 1 element of b. Complex: twice 2*6 sums, twice 2
// vectors of a, 2 parts of b.
template <class T>
constexpr MicroKernels<T> kernels = kernels_of<T, 64, is_real<T> ? 3 : 2, is_real<T> ? 8 : 6>("avx512");

}  // namespace

template <class T>
const MicroKernels<T>& avx512_micro_kernels() {
  return kernels<T>;
}

template const MicroKernels<float>& avx512_micro_kernels();
template const MicroKernels<double>& avx512_micro_kernels();
template const MicroKernels<std::complex<float>>& avx512_micro_kernels();
template const MicroKernels<std::complex<double>>& avx512_micro_kernels();

}  // namespace ricci::kernels
