#include "kernels/transpose.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <cstdlib>

namespace ricci::kernels {
namespace {
int env(const char* n, int d) { const char* s = std::getenv(n); return s ? atoi(s) : d; }
// Modes left after fusion have an extent of two or more, so that no tensor that fits an address space has more.
constexpr int max_modes = 64;

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

// Modes of extent 1 are dropped, the others sorted by output stride and joined where both sides allow it.
std::vector<TransposeDim> fuse(std::vector<TransposeDim> dims) {
  std::erase_if(dims, [](const TransposeDim& d) { return d.extent == 1; });
  std::sort(dims.begin(), dims.end(),
            [](const TransposeDim& x, const TransposeDim& y) { return x.out_stride > y.out_stride; });
  std::vector<TransposeDim> fused;
  for (const TransposeDim& inner : dims) {
    if (!fused.empty()) {
      TransposeDim& outer = fused.back();
      if (outer.out_stride == inner.extent * inner.out_stride && outer.in_stride == inner.extent * inner.in_stride) {
        outer = {outer.extent * inner.extent, inner.in_stride, inner.out_stride};
        continue;
      }
    }
    fused.push_back(inner);
  }
  return fused;
}

template <class T>
isa::Finish finish_for(T alpha, bool conjugate, bool overwrite) {
  isa::Finish f{};
  f.accumulate = !overwrite;
  f.plain = overwrite && alpha == T(1) && !conjugate;
  f.same[0] = f.same[1] = static_cast<double>(alpha);
  return f;
}

// With conjugation x = (r, -i): re = ar*r + ai*i and im = -ar*i + ai*r.
template <class R>
isa::Finish finish_for(std::complex<R> alpha, bool conjugate, bool overwrite) {
  const double re = alpha.real(), im = alpha.imag();
  isa::Finish f{};
  f.accumulate = !overwrite;
  f.plain = overwrite && re == 1 && im == 0 && !conjugate;
  f.has_cross = im != 0;
  f.same[0] = re;
  f.same[1] = conjugate ? -re : re;
  f.cross[0] = conjugate ? im : -im;
  f.cross[1] = im;
  return f;
}

isa::FinishRows finish_of(const isa::TransposeIsa& k, float) { return k.finish_s; }
isa::FinishRows finish_of(const isa::TransposeIsa& k, double) { return k.finish_d; }
isa::FinishRows finish_of(const isa::TransposeIsa& k, std::complex<float>) { return k.finish_c; }
isa::FinishRows finish_of(const isa::TransposeIsa& k, std::complex<double>) { return k.finish_z; }

struct AlignedDelete {
  void operator()(char* p) const { ::operator delete[](p, std::align_val_t{64}); }
};

}  // namespace

struct Transpose::Job {
  const char* in;
  char* out;
  isa::Finish finish;
  isa::FinishRows finish_rows;
  bool staged;
};

// Where a block begins, and how much of it there is.
struct Transpose::Cursor {
  std::array<std::int64_t, max_modes> begin;
  std::int64_t in = 0, out = 0;

  Cursor(const Transpose& t, std::int64_t block) {
    for (std::size_t i = t.block_order_.size(); i-- > 0;) {
      const Mode& m = t.modes_[t.block_order_[i]];
      const std::int64_t count = (m.extent + m.block - 1) / m.block;
      const std::int64_t at = block % count * m.block;
      block /= count;
      begin[t.block_order_[i]] = at;
      in += at * m.in_stride;
      out += at * m.out_stride;
    }
  }
};

Transpose::Transpose(std::vector<TransposeDim> dims, std::size_t element_size, Isa isa)
    : element_size_(element_size), isa_(isa), kernels_(&kernels_for(isa)) {
  if (element_size != 4 && element_size != 8 && element_size != 16)
    throw std::invalid_argument("a transposed element has 4, 8 or 16 bytes, not " + std::to_string(element_size));
  elements_ = 1;
  for (const TransposeDim& d : dims) {
    if (d.extent < 0 || d.in_stride < 0 || d.out_stride < 0 || (d.extent > 1 && d.out_stride == 0))
      throw std::invalid_argument("a transposed mode has a negative extent or stride, or its output overlaps");
    elements_ *= d.extent;
  }
  if (elements_ == 0) return;
  dims = fuse(std::move(dims));
  for (std::size_t i = dims.size(); i < 2; ++i) modes_.push_back({1, 0, 0, 1, 0});
  for (const TransposeDim& d : dims) modes_.push_back({d.extent, d.in_stride, d.out_stride, 1, 0});
  choose_kind();
  choose_blocks();
  lay_out_buffer();
}

void Transpose::choose_kind() {
  const int count = static_cast<int>(modes_.size()), b = count - 1;
  std::vector<int>& by_input = nest_;
  for (int i = 0; i < count; ++i)
    if (i != b) by_input.push_back(i);
  // Modes of stride 0 stay on the outside: they read nothing new.
  const auto key = [&](int i) { return modes_[i].in_stride == 0 ? INT64_MAX : modes_[i].in_stride; };
  std::stable_sort(by_input.begin(), by_input.end(), [&](int x, int y) { return key(x) > key(y); });
  const bool out_unit = modes_[b].out_stride == 1;
  const std::int64_t a_stride = modes_[by_input.back()].in_stride;
  if (out_unit && modes_[b].in_stride == 1) kind_ = Kind::rows;
  else if (out_unit && a_stride == 1) kind_ = Kind::tile;
  else kind_ = Kind::scattered;
  nest_.push_back(b);
}

// A block has long runs on both sides and fits the second-level cache together with what it reads: the side
// whose runs are shorter grows first, along its own modes from the innermost.
void Transpose::choose_blocks() {
  const int count = static_cast<int>(modes_.size());
  std::vector<int> by_output(count), by_input = nest_;
  for (int i = 0; i < count; ++i) by_output[i] = i;
  const auto key = [&](int i) { return modes_[i].in_stride == 0 ? INT64_MAX : modes_[i].in_stride; };
  std::stable_sort(by_input.begin(), by_input.end(), [&](int x, int y) { return key(x) > key(y); });
  const std::int64_t line = 64 / static_cast<std::int64_t>(element_size_);
  const std::int64_t budget = env("BUD", 256) * 1024 / static_cast<std::int64_t>(element_size_);
  std::int64_t size = 1;
  struct Side {
    const std::vector<int>* order;
    std::int64_t run = 1;
    bool open = true;
  } sides[2] = {{&by_input}, {&by_output}};
  if (elements_ <= budget) {
    for (Mode& m : modes_) m.block = m.extent;
  } else {
    while (sides[0].open || sides[1].open) {
      for (Side& s : sides) {
        s.run = 1;
        for (auto i = s.order->rbegin(); i != s.order->rend(); ++i) {
          s.run *= modes_[*i].block;
          if (modes_[*i].block < modes_[*i].extent) break;
        }
      }
      Side& s = sides[0].open && (!sides[1].open || sides[0].run * env("RAT",100) <= sides[1].run * 100) ? sides[0] : sides[1];
      const auto growing = std::find_if(s.order->rbegin(), s.order->rend(),
                                        [&](int i) { return modes_[i].block < modes_[i].extent; });
      s.open = growing != s.order->rend();
      if (!s.open) continue;
      Mode& m = modes_[*growing];
      const std::int64_t rest = size / m.block;
      const std::int64_t wanted = std::min({m.extent, 2 * m.block, budget / rest});
      s.open = wanted > m.block;
      m.block = wanted;
      size = rest * m.block;
    }
    for (Mode& m : modes_) {
      const std::int64_t parts = (m.extent + m.block - 1) / m.block;
      std::int64_t even = (m.extent + parts - 1) / parts;
      if (m.block < m.extent && even >= 8 * line) even = (even + line - 1) / line * line;
      m.block = std::min(even, m.extent);
    }
  }
  by_input_ = by_input;
  blocks_ = 1;
  for (const Mode& m : modes_) blocks_ *= (m.extent + m.block - 1) / m.block;
  const int a = nest_[count - 2], b = nest_[count - 1];
  std::erase_if(nest_, [&](int i) { return modes_[i].block == 1 && i != a && i != b; });
  block_order_ = env("ORD", 0) ? by_input : by_output;
  if (env("ORD", 0) == 2) {
    auto i = std::find_if(by_output.rbegin(), by_output.rend(), [&](int i) { return modes_[i].block < modes_[i].extent; });
    if (i != by_output.rend()) { int k = *i; std::erase(block_order_, k); block_order_.push_back(k); }
  }
}

// The block in the order of the output. Rows begin on a line, so that whole lines are stored; a row of a line or
// more that is part of a longer run of the output leaves room behind it for the first line of the row after it,
// which lets the writer stream lines that belong to both.
void Transpose::lay_out_buffer() {
  const std::int64_t line = 64 / static_cast<std::int64_t>(element_size_);
  std::int64_t stride = 1;
  bool in_run = true;
  const int b = static_cast<int>(modes_.size()) - 1;
  for (int i = b; i >= 0; --i) {
    Mode& m = modes_[i];
    if (in_run) run_mode_ = i;
    m.buffer_stride = stride;
    stride *= m.block;
    const bool ends = i == 0 || m.block < m.extent || modes_[i - 1].out_stride != m.extent * m.out_stride;
    const bool padded = i == b && m.block >= line && m.out_stride == 1;
    if (in_run && (ends || padded)) stride = (stride + line - 1) / line * line;
    // Rows a page apart would meet in the same few lines of the first-level cache.
    if (in_run && ends) stride += stride % (8 * line) == 7 * line ? 2 * line : line;
    in_run = in_run && !ends;
  }
  buffer_elements_ = stride + line;
}

void Transpose::run_blocks(const Job& job, std::int64_t first, std::int64_t last) const {
  const std::int64_t size = static_cast<std::int64_t>(element_size_);
  const isa::TransposeKernels& kernels =
      size == 4 ? kernels_->bytes4 : size == 8 ? kernels_->bytes8 : kernels_->bytes16;
  const isa::Move move = kind_ == Kind::rows ? kernels.rows : kind_ == Kind::tile ? kernels.tile : kernels.scattered;
  constexpr std::size_t small = 4096;
  alignas(64) char on_stack[small];
  std::unique_ptr<char[], AlignedDelete> on_heap;
  char* buffer = on_stack;
  if (job.staged && buffer_elements_ * size > static_cast<std::int64_t>(small)) {
    on_heap.reset(static_cast<char*>(::operator new[](buffer_elements_ * size, std::align_val_t{64})));
    buffer = on_heap.get();
  }
  buffer += 64;
  bool continues = false;
  std::array<isa::Loop, max_modes> loops, wloops;
  isa::Ahead ahead; const int skip=env("SKIP",0);
  for (std::int64_t block = first; block < last; ++block) {
    const Cursor at(*this, block);
    const Cursor next(*this, std::min(block + 1, last - 1));
    const auto extent = [&](int i) { return std::min(modes_[i].block, modes_[i].extent - at.begin[i]); };
    int count = 0;
    for (int i : nest_)
      loops[count++] = {extent(i), modes_[i].in_stride, job.staged ? modes_[i].buffer_stride : modes_[i].out_stride};
    const isa::Nest reading{loops.data(), count, job.in + next.in * size};
    char* out = job.out + at.out * size;
    if (!job.staged) {
      move(reading, job.in + at.in * size, out);
      continue;
    }
    int wcount = 0;
    const auto next_row = [&](const Cursor& c) {
      const int b = static_cast<int>(modes_.size()) - 1;
      const auto e = [&](int i) { return std::min(modes_[i].block, modes_[i].extent - c.begin[i]); };
      return e(b) * (modes_[b - 1].buffer_stride == e(b) && run_mode_ < b ? e(b - 1) : 1);
    };
    const int b = static_cast<int>(modes_.size()) - 1;
    for (int i = 0; i < b; ++i)
      if (i < run_mode_) wloops[wcount++] = {extent(i), modes_[i].buffer_stride, modes_[i].out_stride};
    // The modes of a run are one loop over rows or, where rows are not padded, part of the row.
    std::int64_t rows = 1;
    for (int i = run_mode_; i < b; ++i) rows *= extent(i);
    const std::int64_t row = extent(b), pitch = modes_[b - 1].buffer_stride;
    if (pitch == row && run_mode_ < b) {
      if (wcount == 0) wloops[wcount++] = {1, 0, 0};
      wloops[wcount++] = {rows * row, 1, modes_[b].out_stride};
    } else {
      if (run_mode_ < b || wcount == 0) wloops[wcount++] = {rows, pitch, modes_[b - 1].out_stride};
      wloops[wcount++] = {row, 1, modes_[b].out_stride};
    }
    if(!(skip&1)) move(skip&4?isa::Nest{loops.data(), count, job.in}:reading, job.in + (skip&4?0:at.in * size), buffer);
    ahead.line = nullptr;
    if (block + 1 < last && env("PF", 1)) {
      ahead.run = job.in + next.in * size;
      ahead.line = reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(ahead.run) & ~63ull);
      std::int64_t run = 1; bool in_run = true; int n = 0;
      std::array<isa::Ahead::Step, 64> st;
      for (auto i = by_input_.rbegin(); i != by_input_.rend(); ++i) {
        const Mode& m = modes_[*i];
        const std::int64_t e = std::min(m.block, m.extent - next.begin[*i]);
        if (in_run && m.in_stride == run) { run *= e; in_run = e == m.extent; continue; }
        in_run = false;
        if (m.in_stride == 0 || e == 1) continue;
        st[n++] = {e, m.in_stride * size, 0};
      }
      ahead.run_bytes = run * size;
      ahead.count = n;
      std::reverse_copy(st.begin(), st.begin() + n, ahead.steps);
    }
    isa::Finish finish = job.finish;
    const std::int64_t run = rows * row;
    finish.stream = finish.stream && wloops[wcount - 1].extent * size >= 128 && wloops[wcount - 1].out_stride == 1;
    finish.continues = continues;
    finish.goes_on = finish.stream && env("CARRY", 1) && block + 1 < last && next.out == at.out + run && next_row(next) * size >= 128;
    for (int i = 0; i < run_mode_; ++i) finish.goes_on = finish.goes_on && (modes_[i].block == 1 || next.begin[i] == at.begin[i]);
    continues = finish.goes_on;
    if(!(skip&2)) job.finish_rows({wloops.data(), wcount, buffer}, buffer, out, finish, ahead);
  }
  if (job.finish.stream) kernels_->fence();
}

void Transpose::run_job(const Job& job, int threads) const {
  constexpr std::int64_t worth_a_thread = 1 << 16;
  const std::int64_t useful = std::min(blocks_, elements_ * static_cast<std::int64_t>(element_size_) / worth_a_thread);
  const int team = static_cast<int>(std::min<std::int64_t>(threads, useful));
  if (team <= 1) return run_blocks(job, 0, blocks_);
#pragma omp parallel num_threads(team)
  {
    const std::int64_t count = omp_get_num_threads(), rank = omp_get_thread_num();
    run_blocks(job, blocks_ * rank / count, blocks_ * (rank + 1) / count);
  }
}

template <class T>
void Transpose::run(const T* in, T alpha, bool conjugate, bool overwrite, T* out, int threads) const {
  if (sizeof(T) != element_size_)
    throw std::invalid_argument("a transposition made for elements of " + std::to_string(element_size_) +
                                " bytes was run on elements of " + std::to_string(sizeof(T)));
  if (kind_ == Kind::empty) return;
  Job job{reinterpret_cast<const char*>(in), reinterpret_cast<char*>(out), finish_for(alpha, conjugate, overwrite),
          finish_of(*kernels_, T{}), false};
  job.finish.stream = env("NT", 0);
  job.staged = !job.finish.plain || env("STG", 0);
  run_job(job, threads);
}

template void Transpose::run(const float*, float, bool, bool, float*, int) const;
template void Transpose::run(const double*, double, bool, bool, double*, int) const;
template void Transpose::run(const std::complex<float>*, std::complex<float>, bool, bool, std::complex<float>*,
                             int) const;
template void Transpose::run(const std::complex<double>*, std::complex<double>, bool, bool, std::complex<double>*,
                             int) const;

std::string Transpose::describe() const {
  static constexpr const char* names[] = {"empty", "rows", "tile", "scattered"};
  std::string text = names[static_cast<int>(kind_)];
  for (const Mode& m : modes_)
    text += " " + std::to_string(m.extent) + ":" + std::to_string(m.in_stride) + "x" + std::to_string(m.out_stride);
  text += " | blocks";
  for (const Mode& m : modes_) text += " " + std::to_string(m.block);
  return text + " | " + kernels_->name;
}

std::ostream& operator<<(std::ostream& stream, const Transpose& transpose) { return stream << transpose.describe(); }

}  // namespace ricci::kernels
