#include "kernels/transpose.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>

#include <omp.h>

namespace ricci::kernels {
namespace {

const isa::TransposeIsa& kernels_for(Isa isa) {
  if (!isa_available(isa))
    throw std::invalid_argument(std::string("transposition kernels for ") + isa_name(isa) +
                                " cannot run on this machine");
#if RICCI_X86_64_KERNELS
  if (isa == Isa::avx512) return isa::transpose_avx512();
  if (isa == Isa::avx2) return isa::transpose_avx2();
#endif
  return isa::transpose_base();
}

template <class T>
isa::Finish finish_for(T alpha, bool, bool overwrite) {
  isa::Finish finish{};
  finish.accumulate = !overwrite;
  finish.plain = overwrite && alpha == T(1);
  finish.same[0] = finish.same[1] = static_cast<double>(alpha);
  return finish;
}

// With conjugation x = (r, -i): re = ar*r + ai*i and im = -ar*i + ai*r.
template <class R>
isa::Finish finish_for(std::complex<R> alpha, bool conjugate, bool overwrite) {
  const double re = alpha.real(), im = alpha.imag();
  isa::Finish finish{};
  finish.accumulate = !overwrite;
  finish.plain = overwrite && re == 1 && im == 0 && !conjugate;
  finish.has_cross = im != 0;
  finish.same[0] = re;
  finish.same[1] = conjugate ? -re : re;
  finish.cross[0] = conjugate ? im : -im;
  finish.cross[1] = im;
  return finish;
}

isa::FinishRows finish_rows_of(const isa::TransposeIsa& k, float) { return k.finish_s; }
isa::FinishRows finish_rows_of(const isa::TransposeIsa& k, double) { return k.finish_d; }
isa::FinishRows finish_rows_of(const isa::TransposeIsa& k, std::complex<float>) { return k.finish_c; }
isa::FinishRows finish_rows_of(const isa::TransposeIsa& k, std::complex<double>) { return k.finish_z; }

struct AlignedDelete {
  void operator()(char* p) const { ::operator delete[](p, std::align_val_t{64}); }
};

// Shorter rows are not worth streaming, and the kernel counts on two lines.
constexpr std::int64_t least_streamed_bytes = 128;

}  // namespace

struct Transpose::Job {
  const char* in;
  char* out;
  isa::Finish finish;
  isa::FinishRows finish_rows;
  bool assembled;
};

// Where a block begins, in each mode and in elements of both sides, and how far it extends. Blocks follow one
// another in the order of the output.
struct Transpose::Cursor {
  std::array<std::int64_t, max_transpose_modes> begin, extent;
  std::int64_t in = 0, out = 0;

  Cursor(const TransposePlan& plan, std::int64_t block) {
    for (int i = static_cast<int>(plan.modes.size()) - 1; i >= 0; --i) {
      const TransposeMode& m = plan.modes[i];
      begin[i] = 0;
      if (m.parts > 1) {
        begin[i] = block % m.parts * m.block;
        block /= m.parts;
      }
      extent[i] = std::min(m.block, m.extent - begin[i]);
      in += begin[i] * m.in_stride;
      out += begin[i] * m.out_stride;
    }
  }
};

// One thread's share of the blocks, with its buffer.
class Transpose::Worker {
 public:
  Worker(const Transpose& transpose, const Job& job);
  void run(std::int64_t first, std::int64_t last);

 private:
  // Loops of one block, outermost first.
  struct Loops {
    std::array<isa::Loop, max_transpose_modes> loop;
    int count = 0;
    void add(std::int64_t extent, std::int64_t in_stride, std::int64_t out_stride) {
      loop[count++] = {extent, in_stride, out_stride};
    }
    const isa::Loop& innermost() const { return loop[count - 1]; }
  };

  void write_directly(const Cursor& at, const Cursor& next);
  void assemble(const Cursor& at, const Cursor& next);
  void finish(const Cursor& at, const Cursor& next, bool is_last);
  Loops output_loops(const Cursor& at) const;
  bool streams(const Loops& loops) const;
  bool same_runs_go_on(const Cursor& at, const Cursor& next) const;
  isa::Ahead ahead_of(const Cursor& next) const;

  const TransposePlan& plan_;
  const isa::TransposeIsa& kernels_;
  const Job& job_;
  const std::int64_t size_;
  isa::Move move_;
  alignas(64) char small_buffer_[4096];
  std::unique_ptr<char[], AlignedDelete> large_buffer_;
  char* buffer_ = small_buffer_ + 64;
  bool continues_ = false;
};

Transpose::Worker::Worker(const Transpose& transpose, const Job& job)
    : plan_(transpose.plan_),
      kernels_(*transpose.kernels_),
      job_(job),
      size_(static_cast<std::int64_t>(plan_.element_size)) {
  const isa::TransposeKernels& moves = size_ == 4 ? kernels_.bytes4 : size_ == 8 ? kernels_.bytes8 : kernels_.bytes16;
  move_ = plan_.kind == TransposeKind::rows   ? moves.rows
          : plan_.kind == TransposeKind::tile ? moves.tile
                                              : moves.scattered;
  const std::int64_t bytes = plan_.buffer_elements * size_;
  if (job.assembled && bytes > static_cast<std::int64_t>(sizeof small_buffer_)) {
    large_buffer_.reset(static_cast<char*>(::operator new[](bytes, std::align_val_t{64})));
    buffer_ = large_buffer_.get() + 64;
  }
}

void Transpose::Worker::run(std::int64_t first, std::int64_t last) {
  for (std::int64_t block = first; block < last; ++block) {
    const bool is_last = block + 1 == last;
    const Cursor at(plan_, block), next(plan_, is_last ? block : block + 1);
    if (job_.assembled) {
      assemble(at, next);
      finish(at, next, is_last);
    } else {
      write_directly(at, next);
    }
  }
  if (job_.finish.stream) kernels_.fence();
}

void Transpose::Worker::write_directly(const Cursor& at, const Cursor& next) {
  Loops loops;
  for (int i : plan_.nest) loops.add(at.extent[i], plan_.modes[i].in_stride, plan_.modes[i].out_stride);
  const isa::Nest nest{loops.loop.data(), loops.count, job_.in + next.in * size_};
  const char* in = job_.in + at.in * size_;
  char* out = job_.out + at.out * size_;
  if (job_.finish.plain) return move_(nest, in, out);
  isa::Ahead nothing;
  nothing.line = nullptr;
  // Only a streamed finish writes to its input, which is a buffer then.
  job_.finish_rows(nest, const_cast<char*>(in), out, job_.finish, nothing);
}

void Transpose::Worker::assemble(const Cursor& at, const Cursor& next) {
  Loops loops;
  for (int i : plan_.nest) loops.add(at.extent[i], plan_.modes[i].in_stride, plan_.modes[i].buffer_stride);
  move_({loops.loop.data(), loops.count, job_.in + next.in * size_}, job_.in + at.in * size_, buffer_);
}

void Transpose::Worker::finish(const Cursor& at, const Cursor& next, bool is_last) {
  const Loops loops = output_loops(at);
  isa::Finish finish = job_.finish;
  finish.stream = finish.stream && streams(loops);
  finish.continues = continues_;
  finish.goes_on = finish.stream && !is_last && same_runs_go_on(at, next) && streams(output_loops(next));
  continues_ = finish.goes_on;
  isa::Ahead ahead;
  ahead.line = nullptr;
  if (finish.stream && !is_last) ahead = ahead_of(next);
  job_.finish_rows({loops.loop.data(), loops.count, buffer_}, buffer_, job_.out + at.out * size_, finish, ahead);
}

// From the buffer to the output. The modes of a run are one loop over its rows or, where rows are not padded, part
// of the row.
Transpose::Worker::Loops Transpose::Worker::output_loops(const Cursor& at) const {
  const int b = static_cast<int>(plan_.modes.size()) - 1, run_mode = plan_.run_mode;
  const TransposeMode &row = plan_.modes[b], &around = plan_.modes[b - 1];
  Loops loops;
  for (int i = 0; i < run_mode; ++i) loops.add(at.extent[i], plan_.modes[i].buffer_stride, plan_.modes[i].out_stride);
  std::int64_t rows = 1;
  for (int i = run_mode; i < b; ++i) rows *= at.extent[i];
  const bool merged = run_mode < b && around.buffer_stride == row.block;
  if (run_mode < b && !merged) loops.add(rows, around.buffer_stride, around.out_stride);
  if (loops.count == 0) loops.add(1, 0, 0);
  loops.add(merged ? rows * at.extent[b] : at.extent[b], 1, row.out_stride);
  return loops;
}

bool Transpose::Worker::streams(const Loops& loops) const {
  return loops.innermost().extent * size_ >= least_streamed_bytes;
}

// True if each run of the next block begins where one of this block ends.
bool Transpose::Worker::same_runs_go_on(const Cursor& at, const Cursor& next) const {
  std::int64_t run = plan_.modes.back().out_stride;
  for (std::size_t i = plan_.run_mode; i < plan_.modes.size(); ++i) run *= at.extent[i];
  if (next.out != at.out + run) return false;
  for (int i = 0; i < plan_.run_mode; ++i)
    if (plan_.modes[i].block > 1 && next.begin[i] != at.begin[i]) return false;
  return true;
}

isa::Ahead Transpose::Worker::ahead_of(const Cursor& next) const {
  isa::Ahead ahead;
  ahead.run = job_.in + next.in * size_;
  ahead.line = ahead.run;
  ahead.count = 0;
  std::int64_t run = 1;
  bool in_run = true;
  for (auto i = plan_.by_input.rbegin(); i != plan_.by_input.rend(); ++i) {
    const TransposeMode& m = plan_.modes[*i];
    in_run = in_run && m.in_stride == run;
    if (in_run)
      run *= next.extent[*i];
    else if (m.in_stride != 0)
      ahead.steps[ahead.count++] = {next.extent[*i], m.in_stride * size_, 0};
    in_run = in_run && next.extent[*i] == m.extent;
  }
  ahead.run_bytes = run * size_;
  return ahead;
}

Transpose::Transpose(std::vector<TransposeDim> dims, std::size_t element_size, Isa isa)
    : plan_(plan_transpose(std::move(dims), element_size)), kernels_(&kernels_for(isa)) {}

void Transpose::run_job(const Job& job, int threads) const {
  constexpr std::int64_t bytes_worth_a_thread = 1 << 16;
  const std::int64_t bytes = plan_.elements * static_cast<std::int64_t>(plan_.element_size);
  const std::int64_t team = std::min({std::int64_t{threads}, plan_.blocks, bytes / bytes_worth_a_thread});
  if (team <= 1) return Worker(*this, job).run(0, plan_.blocks);
#pragma omp parallel num_threads(static_cast <int>(team))
  {
    // The team may be smaller than asked for, in a region of the caller's.
    const std::int64_t count = omp_get_num_threads(), rank = omp_get_thread_num();
    Worker(*this, job).run(plan_.blocks * rank / count, plan_.blocks * (rank + 1) / count);
  }
}

template <class T>
void Transpose::run(const T* in, T alpha, bool conjugate, bool overwrite, T* out, int threads) const {
  if (sizeof(T) != plan_.element_size)
    throw std::invalid_argument("a transposition made for elements of " + std::to_string(plan_.element_size) +
                                " bytes was run on elements of " + std::to_string(sizeof(T)));
  if (plan_.kind == TransposeKind::empty) return;
  Job job{reinterpret_cast<const char*>(in), reinterpret_cast<char*>(out), finish_for(alpha, conjugate, overwrite),
          finish_rows_of(*kernels_, T{}), true};
  job.finish.stream = job.finish.plain && plan_.route == TransposeRoute::streamed;
  if (plan_.route == TransposeRoute::direct) job.assembled = !job.finish.plain && !plan_.finishes_in_place();
  run_job(job, threads);
}

template void Transpose::run(const float*, float, bool, bool, float*, int) const;
template void Transpose::run(const double*, double, bool, bool, double*, int) const;
template void Transpose::run(const std::complex<float>*, std::complex<float>, bool, bool, std::complex<float>*,
                             int) const;
template void Transpose::run(const std::complex<double>*, std::complex<double>, bool, bool, std::complex<double>*,
                             int) const;

std::string Transpose::describe() const { return plan_.describe() + " | " + kernels_->name; }

std::ostream& operator<<(std::ostream& stream, const Transpose& transpose) { return stream << transpose.describe(); }

}  // namespace ricci::kernels
