#pragma once

#include <complex>
#include <cstdint>

namespace ricci::kernels {

template <class T>
struct RealOf {
  using Type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using Type = R;
};
template <class T>
using Real = typename RealOf<T>::Type;

// Instruction sets that kernels exist for, weakest first.
enum class Isa { base, avx2, avx512 };

const char* isa_name(Isa isa);

// True if this build holds kernels for `isa` and the CPU and the operating system can run them.
bool isa_available(Isa isa);

// The best available set, or the one that `request` names ("base", "avx2", "avx512") if that is
// weaker. nullptr and "" request nothing. Throws InputError on any other text.
Isa choose_isa(const char* request);

// choose_isa(RICCI_ISA in the environment), decided at the first call.
Isa chosen_isa();

// What becomes of the sums of a tile.
enum class Store {
  overwrite,
  accumulate,
  stream,  // overwrite, past the caches; every column must start at a multiple of 64 bytes. Ends with stream_fence().
};

// Lines of memory to fetch into the cache while a tile is computed, one for each step of the depth: `step` bytes from
// one to the next, and `turn` bytes more after every eighth. They belong to operands that later tiles read in place.
// Nothing is fetched where `at` is nullptr.
struct Ahead {
  const void* at = nullptr;
  std::int64_t step = 0, turn = 0;
};

// Makes what this thread has streamed visible to others.
void stream_fence();

// One register tile of a matrix product:
//   X(i,j) (=|+=) alpha * sum_k A(i,k) B(k,j),   i < vectors * lanes,   j < columns.
// T is float, double, std::complex<float> or std::complex<double>.
template <class T>
struct MicroKernels {
  // a: step k starts at a + k*a_step (a_step in units of Real<T>). It holds the vectors*lanes values
  //    of A(:,k) or, for complex T, their real parts and then their imaginary parts.
  // b: B(k,j) is b[k*b_step + j*b_column]. b_column == 1 has code of its own.
  // x: column j starts at x + x_column[j]; its rows are contiguous. It is
  //    read only where `store` says accumulate. All vectors*lanes rows are always stored.
  // ahead: read by nobody; any address will do.
  // Nothing needs alignment beyond that of its element. Depth 0 is allowed. x overlaps no operand.
  using Function = void (*)(std::int64_t depth, const Real<T>* a, std::int64_t a_step, const T* b, std::int64_t b_step,
                            std::int64_t b_column, T alpha, Store store, T* x, const std::int64_t* x_column,
                            const Ahead& ahead);

  int lanes;        // rows in one vector
  int max_vectors;  // the largest tile has max_vectors*lanes rows
  int max_columns;
  const char* isa;
  const Function* table;  // max_vectors rows of max_columns kernels

  // 1 <= vectors <= max_vectors, 1 <= columns <= max_columns.
  Function at(int vectors, int columns) const { return table[(vectors - 1) * max_columns + columns - 1]; }
};

// Throws std::invalid_argument unless isa_available(isa).
template <class T>
const MicroKernels<T>& micro_kernels_for(Isa isa);

// The kernels of chosen_isa().
template <class T>
const MicroKernels<T>& micro_kernels();

// The tables behind micro_kernels_for, one for each file in isa/. Calling their kernels on a CPU
// without the set is an illegal instruction.
template <class T>
const MicroKernels<T>& base_micro_kernels();
template <class T>
const MicroKernels<T>& avx2_micro_kernels();
template <class T>
const MicroKernels<T>& avx512_micro_kernels();

}  // namespace ricci::kernels
