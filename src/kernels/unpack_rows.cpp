#include "kernels/unpack_rows.hpp"

#include <algorithm>
#include <array>

#include "symmetry/packed.hpp"
#include "util/for_each_type.hpp"

namespace ricci::kernels {

using symmetry::Shape;
using symmetry::StorageDim;

namespace {

using Tuple = std::array<std::int64_t, Shape::max_order>;

/// Row `number` as the indices of all modes but the last.
void split_row(const Shape& shape, std::int64_t number, Tuple& index) {
  for (int mode = shape.order() - 1; mode-- > 0;) {
    index[mode] = number % shape.extents()[mode];
    number /= shape.extents()[mode];
  }
}

/// The slowest mode that changes.
int next_row(const Shape& shape, Tuple& index) {
  for (int mode = shape.order() - 1; mode-- > 0;) {
    if (++index[mode] < shape.extents()[mode]) return mode;
    index[mode] = 0;
  }
  return 0;
}

template <class T>
void copy_run(const T* from, int factor, std::int64_t count, T* to) {
  if (factor == 1) {
    std::copy_n(from, count, to);
  } else {
    std::transform(from, from + count, to, [](const T& x) { return -x; });
  }
}

template <class T>
void look_up(const T* from, const std::int64_t* place, int factor, std::int64_t count, T* to) {
  if (factor == 1) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[place[i]];
  } else {
    for (std::int64_t i = 0; i < count; ++i) to[i] = -from[place[i]];
  }
}

}  // namespace

/// What the fixed indices of a row come to. Rows that follow each other share most of it.
class UnpackRows::Row {
 public:
  Row(const Shape& shape, std::int64_t number) : shape_(shape), parts_(shape.dims().size()) {
    split_row(shape, number, index_);
    update(0);
  }
  void next() { update(next_row(shape_, index_)); }

  std::int64_t base() const { return base_; }  // of the dimensions without the last mode
  int factor() const { return factor_; }       // of all fixed indices: 0 where the whole row vanishes
  /// The other indices of the last mode's group, sorted.
  int others() const { return others_; }
  const std::int64_t* sorted() const { return sorted_.data(); }

 private:
  /// Modes from `first` on have changed.
  void update(int first) {
    base_ = 0;
    factor_ = 1;
    for (std::size_t d = 0; d < parts_.size(); ++d) {
      const StorageDim& dim = shape_.dims()[d];
      if (dim.modes.back() >= first) parts_[d] = part_of(dim);
      base_ += parts_[d].rank * dim.stride;
      factor_ *= parts_[d].factor;
    }
  }

  symmetry::PackedElement part_of(const StorageDim& dim) {
    if (dim.modes.back() == shape_.order() - 1) {
      others_ = 0;
      for (int mode : dim.modes) {
        if (mode != dim.modes.back()) sorted_[others_++] = index_[mode];
      }
      const int sign = symmetry::sort_with_sign(sorted_.data(), others_);
      if (!dim.grouped() || dim.kind == SymmetryKind::symmetric) return {0, 1};
      return {0, dim.kind == SymmetryKind::antisymmetric ? sign : sign * sign};
    }
    if (!dim.grouped()) return {index_[dim.modes[0]], 1};
    Tuple tuple;
    int degree = 0;
    for (int mode : dim.modes) tuple[degree++] = index_[mode];
    return symmetry::locate(dim.kind, tuple.data(), degree);
  }

  const Shape& shape_;
  std::vector<symmetry::PackedElement> parts_;  // [dim]
  std::int64_t base_ = 0;
  int factor_ = 1, others_ = 0;
  Tuple index_, sorted_;
};

UnpackRows::UnpackRows(const Shape& shape) : shape_(&shape), extent_(shape.extents().back()) {
  const StorageDim& dim = shape.dims()[shape.dim_of_mode(shape.order() - 1)];
  const bool strict = dim.grouped() && symmetry::is_strict(dim.kind);
  for (int position = 0; position < static_cast<int>(dim.modes.size()); ++position) {
    auto& terms = term_.emplace_back(static_cast<std::size_t>(extent_));
    for (std::int64_t i = 0; i < extent_; ++i) terms[i] = dim.stride * symmetry::rank_term(strict, i, position);
  }
}

// The last index x goes to position p of the sorted tuple where p of the others are below it: those keep their
// positions, and the rest move up by one.
template <class T>
void UnpackRows::unpack(const T* packed, const Row& row, T* out) const {
  const StorageDim& dim = shape_->dims()[shape_->dim_of_mode(shape_->order() - 1)];
  const bool strict = dim.grouped() && symmetry::is_strict(dim.kind);
  if (row.factor() == 0) {
    std::fill_n(out, extent_, T(0));
    return;
  }
  std::int64_t place = row.base();  // of all but x
  for (int k = 0; k < row.others(); ++k) place += term_[k + 1][row.sorted()[k]];
  std::int64_t begin = 0;
  for (int position = 0; position <= row.others(); ++position) {
    const std::int64_t end = position < row.others() ? row.sorted()[position] : extent_;
    if (end > begin) {
      // From the end of its group, where the last mode stands, to its position.
      const bool odd = (row.others() - position) % 2 != 0;
      const int factor = odd && dim.kind == SymmetryKind::antisymmetric && dim.grouped() ? -row.factor() : row.factor();
      if (position == 0 && dim.stride == 1) {
        copy_run(packed + place + begin, factor, end - begin, out + begin);
      } else {
        look_up(packed + place, term_[position].data() + begin, factor, end - begin, out + begin);
      }
      begin = end;
    }
    if (position == row.others()) break;
    if (strict) out[begin++] = T(0);
    place += term_[position][row.sorted()[position]] - term_[position + 1][row.sorted()[position]];
  }
}

template <class T>
void UnpackRows::run(const T* packed, std::int64_t first, std::int64_t count, T* out) const {
  if (extent_ == 0 || count == 0) return;
  Row row(*shape_, first);
  for (std::int64_t i = 0; i < count; ++i, row.next()) unpack(packed, row, out + i * extent_);
}

#define RICCI_INSTANTIATE(T) template void UnpackRows::run<T>(const T*, std::int64_t, std::int64_t, T*) const;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::kernels
