#include "kernels/isa/micro_kernel_body.hpp"

namespace ricci::kernels {
namespace {

// 16 registers. Real: 2*6 sums, 2 vectors of a, 1 element of b. Complex: twice 6 sums, 2 vectors of
// a, 2 parts of b.
template <class T>
constexpr MicroKernels<T> kernels = kernels_of<T, 32, is_real<T> ? 2 : 1, 6>("avx2");

}  // namespace

template <class T>
const MicroKernels<T>& avx2_micro_kernels() {
  return kernels<T>;
}

template const MicroKernels<float>& avx2_micro_kernels();
template const MicroKernels<double>& avx2_micro_kernels();
template const MicroKernels<std::complex<float>>& avx2_micro_kernels();
template const MicroKernels<std::complex<double>>& avx2_micro_kernels();

}  // namespace ricci::kernels
