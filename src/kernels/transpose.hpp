// Tensor transposition with scaling: out[sum_d i_d*out_stride_d] = alpha*op(in[sum_d i_d*in_stride_d]) (+ out).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "kernels/isa/transpose_kernels.hpp"
#include "kernels/micro_kernel.hpp"
#include "kernels/transpose_plan.hpp"

namespace ricci::kernels {

// A transposition that has been decided on: made once, run many times, from any thread. A value without a
// reference to any data.
class Transpose {
 public:
  // Strides are not negative, and no two elements of the output share a place. element_size is that of the type to
  // run with. Throws as plan_transpose does, and std::invalid_argument unless isa_available(isa).
  Transpose(std::vector<TransposeDim> dims, std::size_t element_size, Isa isa = chosen_isa());

  // op is the complex conjugate if asked. Without overwrite, the result is added to out. `in` and `out` do
  // not overlap. Uses at most `threads` OpenMP threads; one opens no parallel region. T is float, double,
  // std::complex<float> or std::complex<double>; throws std::invalid_argument if its size is not element_size.
  template <class T>
  void run(const T* in, T alpha, bool conjugate, bool overwrite, T* out, int threads) const;

  // What a run takes besides its arguments.
  std::int64_t buffer_bytes(int threads) const {
    return plan_.buffer_elements * static_cast<std::int64_t>(plan_.element_size) * threads;
  }

  const TransposePlan& plan() const { return plan_; }
  std::string describe() const;

 private:
  struct Cursor;
  struct Job;
  class Worker;

  void run_job(const Job& job, int threads) const;

  TransposePlan plan_;
  const isa::TransposeIsa* kernels_;
};

std::ostream& operator<<(std::ostream& stream, const Transpose& transpose);

}  // namespace ricci::kernels
