namespace ricci::kernels::isa {
namespace {
constexpr int vector_bytes = 16;
}
}  // namespace ricci::kernels::isa

#include "kernels/isa/pack_body.hpp"

namespace ricci::kernels::isa {

template <class Real>
const PackKernels<Real>& base_pack_kernels() {
  return pack_kernels<Real>;
}

template const PackKernels<float>& base_pack_kernels();
template const PackKernels<double>& base_pack_kernels();

}  // namespace ricci::kernels::isa
