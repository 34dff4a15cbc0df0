#include "kernels/micro_kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <ricci/error.hpp>

namespace ricci::kernels {

void stream_fence() {
#if RICCI_X86_64_KERNELS
  __builtin_ia32_sfence();
#endif
}

const char* isa_name(Isa isa) {
  switch (isa) {
    case Isa::avx512:
      return "avx512";
    case Isa::avx2:
      return "avx2";
    case Isa::base:
      break;
  }
  return "base";
}

bool isa_available(Isa isa) {
#if RICCI_X86_64_KERNELS
  switch (isa) {
    case Isa::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma");
    case Isa::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case Isa::base:
      break;
  }
#endif
  return isa == Isa::base;
}

Isa choose_isa(const char* request) {
  Isa best = Isa::base;
  for (Isa isa : {Isa::avx2, Isa::avx512}) {
    if (isa_available(isa)) best = isa;
  }
  const std::string name = request == nullptr ? "" : request;
  if (name.empty()) return best;
  for (Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
    if (name == isa_name(isa)) return std::min(isa, best);
  }
  throw InputError("RICCI_ISA is \"" + name + "\"; give base, avx2 or avx512");
}

template <class T>
const MicroKernels<T>& micro_kernels_for(Isa isa) {
  if (!isa_available(isa)) {
    throw std::invalid_argument(std::string("micro-kernels for ") + isa_name(isa) + " cannot run on this machine");
  }
#if RICCI_X86_64_KERNELS
  if (isa == Isa::avx512) return avx512_micro_kernels<T>();
  if (isa == Isa::avx2) return avx2_micro_kernels<T>();
#endif
  return base_micro_kernels<T>();
}

Isa chosen_isa() {
  static const Isa chosen = choose_isa(std::getenv("RICCI_ISA"));
  return chosen;
}

template <class T>
const MicroKernels<T>& micro_kernels() {
  static const MicroKernels<T>& chosen = micro_kernels_for<T>(chosen_isa());
  return chosen;
}

template const MicroKernels<float>& micro_kernels_for(Isa);
template const MicroKernels<double>& micro_kernels_for(Isa);
template const MicroKernels<std::complex<float>>& micro_kernels_for(Isa);
template const MicroKernels<std::complex<double>>& micro_kernels_for(Isa);

template const MicroKernels<float>& micro_kernels();
template const MicroKernels<double>& micro_kernels();
template const MicroKernels<std::complex<float>>& micro_kernels();
template const MicroKernels<std::complex<double>>& micro_kernels();

}  // namespace ricci::kernels
