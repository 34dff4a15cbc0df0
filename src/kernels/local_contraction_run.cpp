// The blocked matrix product behind LocalContraction.
#include <algorithm>
#include <array>

#include "kernels/local_contraction.hpp"
#include "kernels/micro_kernel.hpp"
#include "util/aligned_buffer.hpp"

namespace ricci::kernels {

namespace {

std::int64_t round_up(std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; }

template <class T>
Blocking blocking(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  const auto& kernels = micro_kernels<T>();
  const std::int64_t tile_rows = kernels.lanes * kernels.max_vectors;
  const std::int64_t bytes = sizeof(T);
  Blocking limit;
  limit.depth = 2048 / bytes;
  limit.rows = round_up(std::max<std::int64_t>(1, 480 * 8 / bytes), tile_rows);
  limit.columns = 4096;
  return {std::min(limit.rows, round_up(rows, kernels.lanes)), std::min(limit.depth, depth),
          std::min(limit.columns, columns)};
}

/// Cuts [0, total) into equal parts, each a multiple of `step` but for the last.
struct Range {
  std::int64_t first, count;
};
Range part_of(std::int64_t total, std::int64_t step, int part, int parts) {
  const std::int64_t steps = (total + step - 1) / step;
  const std::int64_t begin = std::min(total, steps * part / parts * step);
  const std::int64_t end = std::min(total, steps * (part + 1) / parts * step);
  return {begin, end - begin};
}

}  // namespace

template <class T>
struct LocalContraction::Job {
  const T *a, *b;
  bool conjugate_a, conjugate_b;
  T alpha;
  bool accumulate;
  T* c;
};

// One thread's share of a contraction: a range of rows, of columns and of batches, with buffers of its own.
template <class T>
class LocalContraction::Worker {
 public:
  Worker(const LocalContraction& plan, const Job<T>& job, Range rows, Range columns, Range batches)
      : plan_(plan), job_(job), rows_(rows), columns_(columns), batches_(batches), kernels_(micro_kernels<T>()) {
    block_ = blocking<T>(rows.count, plan.summed_.size(), columns.count);
    const std::int64_t tile_rows = kernels_.lanes * kernels_.max_vectors;
    a_panels_ = AlignedBuffer(round_up(block_.rows, tile_rows) * block_.depth * sizeof(T));
    b_panels_ = AlignedBuffer(block_.columns * block_.depth * sizeof(T));
    tile_ = AlignedBuffer(tile_rows * kernels_.max_columns * sizeof(T));
    for (int j = 0; j < kernels_.max_columns; ++j) tile_columns_[j] = j * tile_rows;
  }

  void run() {
    fixed_.assign(plan_.labels_, 0);
    AxisBlock batch;
    std::vector<bool> all(plan_.labels_, true);
    for (std::int64_t i = 0; i < batches_.count; ++i) {
      plan_.batch_.generate(batches_.first + i, 1, plan_.batch_accesses_, all, batch);
      for (std::size_t l = 0; l < fixed_.size(); ++l) {
        if (!batch.values[l].empty()) fixed_[l] = batch.values[l][0];
      }
      run_batch(batch);
    }
  }

 private:
  void run_batch(const AxisBlock& batch) {
    batch_ = &batch;
    if (plan_.summed_.size() == 0 && !job_.accumulate) return clear_output();
    for (std::int64_t jc = 0; jc < columns_.count; jc += block_.columns) {
      const std::int64_t nc = std::min(block_.columns, columns_.count - jc);
      plan_.columns_.generate(columns_.first + jc, nc, plan_.column_accesses_, plan_.wanted_, column_block_);
      c_columns_ = plan_.c_block_[0].columns(column_block_, fixed_.data(), false);
      for (std::int64_t pc = 0; pc < plan_.summed_.size(); pc += block_.depth) {
        const std::int64_t kc = std::min(block_.depth, plan_.summed_.size() - pc);
        plan_.summed_.generate(pc, kc, plan_.summed_accesses_, plan_.wanted_, summed_block_);
        accumulate_ = job_.accumulate || pc > 0;
        pack_b();
        for (std::int64_t ic = 0; ic < rows_.count; ic += block_.rows) {
          const std::int64_t mc = std::min(block_.rows, rows_.count - ic);
          plan_.rows_.generate(rows_.first + ic, mc, plan_.row_accesses_, plan_.wanted_, row_block_);
          pack_a();
          multiply();
        }
      }
    }
  }

  // A sum of nothing is zero.
  void clear_output() {
    plan_.columns_.generate(columns_.first, columns_.count, plan_.column_accesses_, plan_.wanted_, column_block_);
    plan_.rows_.generate(rows_.first, rows_.count, plan_.row_accesses_, plan_.wanted_, row_block_);
    const BlockAccess& c = plan_.c_block_[0];
    const Side rows = c.rows(row_block_, fixed_.data(), false);
    const Side columns = c.columns(column_block_, fixed_.data(), false);
    T* const base = job_.c + output_base();
    for (std::int64_t j = 0; j < columns_.count; ++j) {
      for (std::int64_t i = 0; i < rows_.count; ++i) base[rows.offset[i] + columns.offset[j]] = T(0);
    }
  }

  std::int64_t output_base() const {
    return batch_->offsets.back()[0] + plan_.c_block_[0].fixed(fixed_.data()).offset;
  }

  PanelFormat row_format(std::int64_t rows) const {
    const int tile_rows = kernels_.lanes * kernels_.max_vectors;
    const int rest = static_cast<int>(rows % tile_rows);
    const int last = rest == 0 ? tile_rows : static_cast<int>(round_up(rest, kernels_.lanes));
    return {tile_rows, last, true};
  }

  void pack_a() {
    for (std::size_t i = 0; i < plan_.a_blocks_.size(); ++i) {
      const BlockAccess& a = plan_.a_blocks_[i];
      const Side rows = a.rows(row_block_, fixed_.data(), false);
      const Side depth = a.columns(summed_block_, fixed_.data(), true);  // the weights of sorted tuples ride on A
      const GroupOffset fixed = a.fixed(fixed_.data());
      pack(a.view(row_block_, rows, summed_block_, depth, fixed_.data()), job_.a + batch_->offsets[i][0] + fixed.offset,
           job_.conjugate_a, i > 0, a.access().sign * fixed.factor, row_format(row_block_.count),
           a_panels_.template as<Real<T>>());
    }
  }

  void pack_b() {
    const int width = kernels_.max_columns;
    const int rest = static_cast<int>(column_block_.count % width);
    const PanelFormat format{width, rest == 0 ? width : rest, false};
    for (std::size_t i = 0; i < plan_.b_blocks_.size(); ++i) {
      const BlockAccess& b = plan_.b_blocks_[i];
      const Side columns = b.rows(column_block_, fixed_.data(), false);
      const Side depth = b.columns(summed_block_, fixed_.data(), false);
      const GroupOffset fixed = b.fixed(fixed_.data());
      const std::int64_t offset = batch_->offsets[plan_.a_blocks_.size() + i][0] + fixed.offset;
      pack(b.view(column_block_, columns, summed_block_, depth, fixed_.data()), job_.b + offset, job_.conjugate_b, i > 0,
           b.access().sign * fixed.factor, format, b_panels_.template as<Real<T>>());
    }
  }

  // All register tiles of a block of A with a block of B.
  void multiply() {
    const BlockAccess& c = plan_.c_block_[0];
    const Side rows = c.rows(row_block_, fixed_.data(), false);
    const BlockView view = c.view(row_block_, rows, column_block_, c_columns_, fixed_.data());
    const GroupOffset fixed = c.fixed(fixed_.data());
    T* const base = job_.c + batch_->offsets.back()[0] + fixed.offset;
    const T alpha = job_.alpha * static_cast<Real<T>>(plan_.fold_.scale * fixed.factor);
    const std::int64_t tile_rows = kernels_.lanes * kernels_.max_vectors;
    const std::int64_t depth = summed_block_.count;
    constexpr int parts = sizeof(T) / sizeof(Real<T>);
    if (fixed.factor == 0) return;

    for (std::int64_t j = 0; j < column_block_.count; j += kernels_.max_columns) {
      const int columns = static_cast<int>(std::min<std::int64_t>(kernels_.max_columns, column_block_.count - j));
      const T* const b = b_panels_.template as<T>() + j * depth;
      for (std::int64_t i = 0; i < row_block_.count; i += tile_rows) {
        const std::int64_t count = std::min(tile_rows, row_block_.count - i);
        const int vectors = static_cast<int>((count + kernels_.lanes - 1) / kernels_.lanes);
        const int width = vectors * kernels_.lanes;
        const Real<T>* const a = a_panels_.template as<Real<T>>() + i * depth * parts;
        const auto kernel = kernels_.at(vectors, columns);
        const bool in_place = view.plain() && count == width && rows.offset[i + count - 1] == rows.offset[i] + count - 1 &&
                              is_contiguous(rows.offset + i, count);
        if (in_place) {
          kernel(depth, a, width * parts, b, columns, 1, alpha, accumulate_, base + rows.offset[i],
                 c_columns_.offset + j);
        } else {
          T* const tile = tile_.template as<T>();
          kernel(depth, a, width * parts, b, columns, 1, alpha, false, tile, tile_columns_.data());
          scatter(view, {i, count, j, columns}, tile, tile_rows, accumulate_, base);
        }
      }
    }
  }

  static bool is_contiguous(const std::int64_t* offset, std::int64_t count) {
    for (std::int64_t i = 1; i < count; ++i) {
      if (offset[i] != offset[0] + i) return false;
    }
    return true;
  }

  const LocalContraction& plan_;
  const Job<T>& job_;
  Range rows_, columns_, batches_;
  const MicroKernels<T>& kernels_;
  Blocking block_;
  AlignedBuffer a_panels_, b_panels_, tile_;
  std::array<std::int64_t, 64> tile_columns_{};
  AxisBlock row_block_, column_block_, summed_block_;
  Side c_columns_;
  std::vector<std::int64_t> fixed_;
  const AxisBlock* batch_ = nullptr;
  bool accumulate_ = false;
};

template <class T>
void LocalContraction::run(const T* a, const T* b, Conjugate conjugate, T alpha, bool accumulate, T* c,
                           int threads) const {
  Job<T> job{a, b, conjugate.a, conjugate.b, alpha, accumulate, c};
  if (swapped_) {
    std::swap(job.a, job.b);
    std::swap(job.conjugate_a, job.conjugate_b);
  }
  (void)threads;
  if (rows_.size() == 0 || columns_.size() == 0 || batch_.size() == 0) return;
  Worker<T>(*this, job, {0, rows_.size()}, {0, columns_.size()}, {0, batch_.size()}).run();
}

template <class T>
std::int64_t LocalContraction::buffer_bytes(int threads) const {
  const auto& kernels = micro_kernels<T>();
  const std::int64_t tile_rows = kernels.lanes * kernels.max_vectors;
  const Blocking block = blocking<T>(rows_.size(), summed_.size(), columns_.size());
  const std::int64_t elements = round_up(block.rows, tile_rows) * block.depth + block.columns * block.depth +
                                tile_rows * kernels.max_columns;
  return elements * static_cast<std::int64_t>(sizeof(T)) * threads;
}

#define RICCI_INSTANTIATE(T) \
  template std::int64_t LocalContraction::buffer_bytes<T>(int) const; \
  template void LocalContraction::run<T>(const T*, const T*, Conjugate, T, bool, T*, int) const;
RICCI_INSTANTIATE(float)
RICCI_INSTANTIATE(double)
RICCI_INSTANTIATE(std::complex<float>)
RICCI_INSTANTIATE(std::complex<double>)
#undef RICCI_INSTANTIATE

}  // namespace ricci::kernels
