#include "kernels/local_map.hpp"

#include <algorithm>

#include "util/aligned_buffer.hpp"

namespace ricci::kernels {

using symmetry::Labelled;
using symmetry::Role;
using symmetry::Unit;

LocalMap::LocalMap(Labelled c, Labelled a, Labelled b, const std::vector<std::int64_t>& extents,
                   std::size_t element_size)
    : c_(std::move(c)), a_(std::move(a)), b_(std::move(b)), labels_(extents.size()) {
  fold_ = symmetry::fold(c_, a_, b_, extents);
  for (const auto& reading : fold_.a_readings) accesses_.push_back(make_access(a_, &reading, fold_.units, labels_));
  for (const auto& reading : fold_.b_readings) accesses_.push_back(make_access(b_, &reading, fold_.units, labels_));
  accesses_.push_back(make_access(c_, nullptr, fold_.units, labels_));
  choose_axes();
  transpose_ = as_transpose(element_size);
}

void LocalMap::choose_axes() {
  // Rows: the fastest loops of C, until there are enough of them to fill a tile.
  std::vector<int> loops, rows, columns, summed;
  for (std::size_t u = 0; u < fold_.units.size(); ++u) {
    (fold_.units[u].role == Role::summed ? summed : loops).push_back(static_cast<int>(u));
  }
  const Access& c = accesses_.back();
  const auto stride = [&](int u) {
    std::int64_t least = c.unit_stride[u] > 0 ? c.unit_stride[u] : INT64_MAX;
    for (int label : fold_.units[u].labels) {
      if (c.label_stride[label] > 0) least = std::min(least, c.label_stride[label]);
      for (const GroupAccess& group : c.groups) {
        if (std::find(group.labels.begin(), group.labels.end(), label) != group.labels.end()) {
          least = std::min(least, group.stride);
        }
      }
    }
    return least;
  };
  std::stable_sort(loops.begin(), loops.end(), [&](int x, int y) { return stride(x) < stride(y); });
  std::int64_t size = 1;
  for (int u : loops) {
    (size < tile_rows / 4 ? rows : columns).push_back(u);
    size *= std::max<std::int64_t>(fold_.units[u].size, 1);
  }
  rows_ = Axis(fold_.units, rows);
  columns_ = Axis(fold_.units, columns);
  summed_ = Axis(fold_.units, summed);

  std::vector<Along> along(labels_, Along::fixed);
  for (int u : rows) {
    for (int label : fold_.units[u].labels) along[label] = Along::row;
  }
  for (int u : columns) {
    for (int label : fold_.units[u].labels) along[label] = Along::column;
  }
  wanted_.assign(labels_, false);
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    pointers_.push_back(&accesses_[i]);
    const int index = static_cast<int>(i);
    blocks_.emplace_back(accesses_[i], along, index, index, i + 1 == accesses_.size());
    blocks_.back().want_labels(wanted_);
  }
}

std::optional<Transpose> LocalMap::as_transpose(std::size_t element_size) const {
  if (b_.shape || fold_.a_readings.size() != 1 || !summed_.loops().empty()) return std::nullopt;
  if (!accesses_[0].groups.empty() || !accesses_[1].groups.empty()) return std::nullopt;
  std::vector<TransposeDim> dims;
  for (std::size_t u = 0; u < fold_.units.size(); ++u) {
    const Unit& unit = fold_.units[u];
    if (unit.size == 0) return std::nullopt;  // nothing to move, and strides that mean nothing
    std::int64_t strides[2];
    for (int t = 0; t < 2; ++t) {
      strides[t] = unit.degree() == 1 ? accesses_[t].label_stride[unit.labels[0]] : accesses_[t].unit_stride[u];
      // A packed loop over plain modes of the other tensor is not a permutation of blocks.
      for (int label : unit.labels) {
        if (unit.degree() > 1 && accesses_[t].label_stride[label] != 0) return std::nullopt;
      }
    }
    dims.push_back({unit.size, strides[0], strides[1]});
  }
  return Transpose(std::move(dims), element_size);
}

// One thread's share: a range of columns, with buffers of its own.
template <class T>
class LocalMap::Worker {
 public:
  Worker(const LocalMap& plan, const T* a, const T* b, Conjugate conjugate, T alpha, bool accumulate, T* c)
      : plan_(plan), a_(a), b_(b), conjugate_(conjugate), alpha_(alpha), accumulate_(accumulate), c_(c) {
    buffer_ = AlignedBuffer(buffer_bytes<T>());
    sum_ = buffer_.as<T>();
    left_ = sum_ + tile_rows * tile_columns;
    right_ = left_ + tile_rows * tile_columns;
    fixed_.assign(plan.labels_, 0);
  }

  void run(std::int64_t first_row, std::int64_t row_count, std::int64_t first_column, std::int64_t column_count) {
    for (std::int64_t c = 0; c < column_count; c += tile_columns) {
      const std::int64_t columns = std::min(tile_columns, column_count - c);
      plan_.columns_.generate(first_column + c, columns, plan_.pointers_, plan_.wanted_, columns_);
      for (std::int64_t r = 0; r < row_count; r += tile_rows) {
        const std::int64_t rows = std::min(tile_rows, row_count - r);
        plan_.rows_.generate(first_row + r, rows, plan_.pointers_, plan_.wanted_, rows_);
        tile();
      }
    }
  }

 private:
  void tile() {
    const std::int64_t rows = rows_.count, columns = columns_.count;
    std::fill_n(sum_, rows * columns, T(0));
    const std::size_t a_count = plan_.fold_.a_readings.size(), b_count = plan_.fold_.b_readings.size();
    for (std::int64_t q = 0; q < plan_.summed_.size(); ++q) {
      plan_.summed_.generate(q, 1, plan_.pointers_, all_, summed_);
      for (std::size_t l = 0; l < fixed_.size(); ++l) {
        if (!summed_.values[l].empty()) fixed_[l] = summed_.values[l][0];
      }
      const double weight = summed_.weights.empty() ? 1.0 : summed_.weights[0];
      if (b_count == 0) {
        gather(0, a_count, a_, conjugate_.a, weight, true, sum_);
        continue;
      }
      gather(0, a_count, a_, conjugate_.a, weight, false, left_);
      gather(a_count, b_count, b_, conjugate_.b, 1.0, false, right_);
      for (std::int64_t i = 0; i < rows * columns; ++i) sum_[i] += left_[i] * right_[i];
    }
    const T factor = alpha_ * static_cast<Real<T>>(plan_.fold_.scale);
    for (std::int64_t i = 0; i < rows * columns; ++i) sum_[i] *= factor;

    const BlockAccess& c = plan_.blocks_.back();
    const Side row_side = c.rows(rows_, nullptr, false), column_side = c.columns(columns_, nullptr, false);
    scatter(c.view(rows_, row_side, columns_, column_side, nullptr), {0, rows, 0, columns}, sum_, rows, accumulate_, c_);
  }

  /// The sum of an operand's readings, as a tile.
  void gather(std::size_t first, std::size_t count, const T* data, bool conjugate, double weight, bool accumulate,
              T* out) {
    const std::vector<Panel> whole{{0, static_cast<int>(rows_.count), static_cast<int>(rows_.count), 0}};
    for (std::size_t i = first; i < first + count; ++i) {
      const BlockAccess& block = plan_.blocks_[i];
      const GroupOffset fixed = block.fixed(fixed_.data());
      const Side rows = block.rows(rows_, fixed_.data(), false), columns = block.columns(columns_, fixed_.data(), false);
      pack(block.view(rows_, rows, columns_, columns, fixed_.data()), data + summed_.offsets[i][0] + fixed.offset,
           conjugate, accumulate || i > first, block.access().sign * fixed.factor * weight, {whole, false},
           reinterpret_cast<Real<T>*>(out));
    }
  }

  const LocalMap& plan_;
  const T *a_, *b_;
  Conjugate conjugate_;
  T alpha_;
  bool accumulate_;
  T* c_;
  AlignedBuffer buffer_;
  T *sum_, *left_, *right_;
  AxisBlock rows_, columns_, summed_;
  std::vector<std::int64_t> fixed_;
  std::vector<bool> all_ = std::vector<bool>(plan_.labels_, true);
};

template <class T>
void LocalMap::run(const T* a, const T* b, Conjugate conjugate, T alpha, bool accumulate, T* c, int threads) const {
  if (transpose_) {
    transpose_->run(a, alpha * static_cast<T>(static_cast<Real<T>>(accesses_[0].sign)), conjugate.a, !accumulate, c,
                    threads);
    return;
  }
  (void)threads;
  Worker<T>(*this, a, b, conjugate, alpha, accumulate, c).run(0, rows_.size(), 0, columns_.size());
}

#define RICCI_INSTANTIATE(T) template void LocalMap::run<T>(const T*, const T*, Conjugate, T, bool, T*, int) const;
RICCI_INSTANTIATE(float)
RICCI_INSTANTIATE(double)
RICCI_INSTANTIATE(std::complex<float>)
RICCI_INSTANTIATE(std::complex<double>)
#undef RICCI_INSTANTIATE

}  // namespace ricci::kernels
