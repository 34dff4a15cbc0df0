#include "blas.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

// Weak, so that the program also links with a BLAS that has none of these.
extern "C" {
__attribute__((weak)) char* openblas_get_corename();
__attribute__((weak)) void openblas_set_num_threads(int threads);
}

namespace cli {
namespace {

constexpr std::array<std::string_view, 3> avx512_cores = {"SkylakeX", "Cooperlake", "SapphireRapids"};
constexpr std::array<std::string_view, 3> avx2_cores = {"Haswell", "Zen", "Excavator"};

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The core type that suits the processor better than the one chosen; empty where that one is well.
std::string better_core(std::string_view chosen) {
#if defined(__x86_64__)
  if (is_one_of(chosen, avx512_cores)) return "";
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return "SkylakeX";
  if (is_one_of(chosen, avx2_cores)) return "";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return "";
}

}  // namespace

std::string blas_core() { return openblas_get_corename == nullptr ? "unknown" : openblas_get_corename(); }

void set_blas_threads(int threads) {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
}

void restart_with_fitting_blas_core(char** arguments) {
  const auto chosen = blas_core();
  if (chosen == "unknown" || std::getenv("OPENBLAS_CORETYPE") != nullptr) return;
  const auto better = better_core(chosen);
  if (better.empty()) return;
  fmt::print(stderr, "ricci: OpenBLAS chose {} kernels for this processor; starting again with OPENBLAS_CORETYPE={}\n",
             chosen, better);
  setenv("OPENBLAS_CORETYPE", better.c_str(), 1);
  execv("/proc/self/exe", arguments);
  std::perror("ricci: cannot start again, so the baseline is that of the old kernels");
}

}  // namespace cli
