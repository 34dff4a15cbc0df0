// Running a LocalMap: tile by tile, on one or more threads.
#include <algorithm>

#include "kernels/local_map.hpp"
#include "kernels/micro_kernel.hpp"
#include "util/aligned_buffer.hpp"
#include "util/for_each_type.hpp"

namespace ricci::kernels {

template <class T>
struct LocalMap::Job {
  const T *a, *b;
  Conjugate conjugate;
  T alpha;
  bool accumulate;
  T* c;
  BufferPool* pool;
};

// One thread's share, with buffers of its own.
template <class T>
class LocalMap::Worker {
 public:
  Worker(const LocalMap& plan, const Job<T>& job, const Box& box)
      : plan_(plan),
        job_(job),
        row_axis_(restricted(plan.rows_, box)),
        column_axis_(restricted(plan.columns_, box)),
        buffer_(job.pool, 3 * tile_rows * tile_columns * static_cast<std::int64_t>(sizeof(T))) {
    left_ = buffer_.as<T>();
    right_ = left_ + tile_rows * tile_columns;
    sums_ = right_ + tile_rows * tile_columns;
  }

  void run() {
    for (std::int64_t c = 0; c < column_axis_.size(); c += tile_columns) {
      const std::int64_t columns = std::min(tile_columns, column_axis_.size() - c);
      column_axis_.generate(c, columns, plan_.pointers_, plan_.wanted_, columns_);
      for (std::int64_t r = 0; r < row_axis_.size(); r += tile_rows) {
        const std::int64_t rows = std::min(tile_rows, row_axis_.size() - r);
        row_axis_.generate(r, rows, plan_.pointers_, plan_.wanted_, rows_);
        tile();
      }
    }
  }

 private:
  void tile() {
    const std::int64_t rows = rows_.count, columns = columns_.count;
    const std::size_t a_count = plan_.fold_.a_readings.size(), b_count = plan_.fold_.b_readings.size();
    gather(0, a_count, job_.a, job_.conjugate.a, true, left_);
    if (b_count > 0) {
      gather(a_count, b_count, job_.b, job_.conjugate.b, false, right_);
      for (std::int64_t i = 0; i < rows * columns; ++i) left_[i] *= right_[i];
    }
    const T factor = job_.alpha * static_cast<Real<T>>(plan_.fold_.scale);
    if (factor != T(1)) {
      for (std::int64_t i = 0; i < rows * columns; ++i) left_[i] *= factor;
    }
    const BlockAccess& c = plan_.blocks_.back();
    const Side row_side = c.rows(rows_, nullptr, false), column_side = c.columns(columns_, nullptr, false);
    const BlockView view = c.view(rows_, row_side, columns_, column_side, nullptr);
    if (!plan_.rows_are_summed_) {
      scatter(view, {0, rows, 0, columns}, left_, rows, job_.accumulate, job_.c);
      return;
    }
    // No label of C runs along the rows: all rows of a column go to one place.
    for (std::int64_t j = 0; j < columns; ++j) sums_[j] = sum(left_ + j * rows, rows);
    scatter(view, {0, 1, 0, columns}, sums_, 1, job_.accumulate, job_.c);
  }

  /// Several partial sums, which can be added at the same time and round less than a single one.
  static T sum(const T* values, std::int64_t count) {
    constexpr int ways = 8;
    T part[ways] = {};
    std::int64_t i = 0;
    for (; i + ways <= count; i += ways) {
      for (int w = 0; w < ways; ++w) part[w] += values[i + w];
    }
    for (; i < count; ++i) part[0] += values[i];
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  }

  /// The sum of an operand's readings, as a tile. The weights of sorted tuples ride on one operand.
  void gather(std::size_t first, std::size_t count, const T* data, bool conjugate, bool weighted, T* out) {
    const std::vector<Panel> whole{{0, static_cast<int>(rows_.count), static_cast<int>(rows_.count), 0}};
    for (std::size_t i = first; i < first + count; ++i) {
      const BlockAccess& block = plan_.blocks_[i];
      const Side rows = block.rows(rows_, nullptr, weighted), columns = block.columns(columns_, nullptr, weighted);
      pack(block.view(rows_, rows, columns_, columns, nullptr), data, conjugate, i > first, block.access().sign,
           {whole, false}, reinterpret_cast<Real<T>*>(out));
    }
  }

  const LocalMap& plan_;
  const Job<T>& job_;
  Axis row_axis_, column_axis_;
  PooledBuffer buffer_;
  T *left_, *right_, *sums_;
  AxisBlock rows_, columns_;
};

template <class T>
void LocalMap::run(const T* a, const T* b, Conjugate conjugate, T alpha, bool accumulate, T* c, Workers workers) const {
  if (transpose_) {
    const T factor = alpha * static_cast<T>(static_cast<Real<T>>(accesses_[0].sign));
    transpose_->run(a, factor, conjugate.a, !accumulate, c, workers.threads);
    return;
  }
  if (has_sum_ && !accumulate) std::fill_n(c, c_.shape->stored_size(), T(0));
  const std::int64_t size = c_.shape->stored_size();
  run_shares(deal_out(fold_, accesses_.back(), size, workers.threads), size, c, accumulate || has_sum_, workers.pool,
             [&](const Box& box, T* out, bool adds) {
               const Job<T> job{a, b, conjugate, alpha, adds, out, workers.pool};
               Worker<T>(*this, job, box).run();
             });
}

template <class T>
std::int64_t LocalMap::buffer_bytes(int threads) const {
  if (transpose_) return transpose_->buffer_bytes(threads);
  const Shares shares = deal_out(fold_, accesses_.back(), c_.shape->stored_size(), threads);
  const std::int64_t elements = 3 * tile_rows * tile_columns + (shares.summed ? c_.shape->stored_size() : 0);
  return elements * static_cast<std::int64_t>(sizeof(T) * shares.threads.size()) + tables_.bytes();
}

#define RICCI_INSTANTIATE(T)                                                                 \
  template void LocalMap::run<T>(const T*, const T*, Conjugate, T, bool, T*, Workers) const; \
  template std::int64_t LocalMap::buffer_bytes<T>(int) const;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::kernels
