namespace ricci::kernels::isa {
namespace {
constexpr int vector_bytes = 64;
}
}  // namespace ricci::kernels::isa

#include "kernels/isa/pack_body.hpp"

namespace ricci::kernels::isa {

template <class Real>
const PackKernels<Real>& avx512_pack_kernels() {
  return pack_kernels<Real>;
}

template const PackKernels<float>& avx512_pack_kernels();
template const PackKernels<double>& avx512_pack_kernels();

}  // namespace ricci::kernels::isa
