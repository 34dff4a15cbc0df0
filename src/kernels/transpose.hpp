// Tensor transposition with scaling: out[sum_d i_d*out_stride_d] = alpha*op(in[sum_d i_d*in_stride_d]) (+ out).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "kernels/isa/transpose_kernels.hpp"
#include "kernels/micro_kernel.hpp"

namespace ricci::kernels {

// One mode of the tensor; strides in elements. An in_stride of 0 broadcasts.
struct TransposeDim {
  std::int64_t extent, in_stride, out_stride;
};

// A transposition that has been thought about: made once, run many times, on one or more threads. A value
// without a reference to any data.
class Transpose {
 public:
  // Which two loops meet in the inner kernel.
  enum class Kind {
    empty,      // some extent is 0
    rows,       // one mode has unit stride on both sides: rows are copied
    tile,       // two modes have unit stride, one on each side: square tiles through registers
    scattered,  // a side without unit stride: element by element
  };

  // Strides are not negative and no two elements of the output share a place. element_size is that of the
  // type to run with: 4, 8 or 16 bytes. Throws std::invalid_argument if that is not so, as far as it can be
  // seen from one mode, or if the machine lacks the instruction set.
  Transpose(std::vector<TransposeDim> dims, std::size_t element_size, Isa isa = choose_isa(nullptr));

  // op is the complex conjugate if asked. Without overwrite, the result is added to out. `in` and `out` do
  // not overlap. Uses at most `threads` OpenMP threads; one opens no parallel region. T is float, double,
  // std::complex<float> or std::complex<double>; throws std::invalid_argument if its size is not element_size.
  template <class T>
  void run(const T* in, T alpha, bool conjugate, bool overwrite, T* out, int threads) const;

  Kind kind() const { return kind_; }

  // For example "tile 70:1x4900 70:4900x1 | blocks 70 64 | avx512".
  std::string describe() const;

 private:
  // A mode after fusion. `block` of its extent are done at a time; buffer_stride is its stride in the block
  // when that is assembled apart.
  struct Mode {
    std::int64_t extent, in_stride, out_stride, block, buffer_stride;
  };
  struct Cursor;
  struct Job;

  void choose_kind();
  void choose_blocks();
  void lay_out_buffer();
  void run_job(const Job& job, int threads) const;
  void run_blocks(const Job& job, std::int64_t first, std::int64_t last) const;

  Kind kind_ = Kind::empty;
  std::size_t element_size_;
  Isa isa_;
  const isa::TransposeIsa* kernels_;
  std::vector<Mode> modes_;        // in the order of the output, the innermost last; at least two
  std::vector<int> by_input_, nest_;          // the modes of a block, in the order in which its input is read
  std::vector<int> block_order_;   // the modes, in the order in which blocks follow one another
  std::int64_t elements_ = 0, blocks_ = 0, buffer_elements_ = 0;
  int run_mode_ = 0;               // modes from this one inwards are contiguous within a block of the output
};

std::ostream& operator<<(std::ostream& stream, const Transpose& transpose);

}  // namespace ricci::kernels
