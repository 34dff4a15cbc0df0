// What transpose.cpp asks of each instruction set: plain data and function pointers only, since the
// translation units behind them are compiled for machines that the rest of the library may not run on.
#pragma once

#include <cstdint>

namespace ricci::kernels::isa {

// One loop over two arrays; strides are in elements.
struct Loop {
  std::int64_t extent, in_stride, out_stride;
};

// What happens to an element on its way: out = same*x + cross*swap(x) (+ out), lane by lane, where swap
// exchanges the real and the imaginary part. Real types have equal lanes and no cross term.
struct Finish {
  double same[2], cross[2];
  bool plain;      // out = x: the coefficients are not looked at
  bool has_cross;  // kept apart from cross == 0, so that an infinite x does not become NaN
  bool accumulate;
  bool stream;     // full lines go past the cache; only if plain
  bool continues;  // each run goes on where one of the block before ended, with its last bytes in front of it
  bool goes_on;    // and the block after will do so
};

// Loops from the outermost to the innermost; next_in is where reading goes on after this nest (a prefetch
// hint, never dereferenced).
struct Nest {
  const Loop* loops;
  int count;
  const void* next_in;
};

// Lines that will be read after this block: loops in bytes, the innermost first, around runs of run_bytes.
// Fetching them while the block is written keeps the memory busy both ways, as in a plain copy. line is null at
// the end.
struct Ahead {
  struct Step {
    std::int64_t extent, stride, at;
  };
  const char* run;
  const char* line;
  std::int64_t run_bytes;
  int count;
  Step steps[64];
};

using Move = void (*)(const Nest& nest, const void* in, void* out);
using FinishRows = void (*)(const Nest& nest, void* in, void* out, const Finish& finish, Ahead& ahead);

// The kernels of one element size (of one type, for finish).
struct TransposeKernels {
  Move rows;       // the innermost loop has unit stride on both sides
  Move tile;       // the innermost loop has unit stride in out, the one around it in in
  Move scattered;  // any strides; at least two loops
};

struct TransposeIsa {
  const char* name;
  TransposeKernels bytes4, bytes8, bytes16;
  // Innermost loop: any strides, quick if both are one. Element types as in BLAS.
  FinishRows finish_s, finish_d, finish_c, finish_z;
  void (*fence)();  // what was streamed is seen by whoever is told so afterwards
};

const TransposeIsa& transpose_base();
#if RICCI_X86_64_KERNELS
const TransposeIsa& transpose_avx2();
const TransposeIsa& transpose_avx512();
#endif

}  // namespace ricci::kernels::isa
