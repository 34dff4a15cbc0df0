#include "layout/packed_box.hpp"

#include <algorithm>
#include <array>

#include "symmetry/packed.hpp"

namespace ricci::layout {

using symmetry::StorageDim;

PackedBox::PackedBox(const symmetry::Shape& shape, Box box) : shape_(shape), box_(std::move(box)) {}

bool PackedBox::is_strict(const StorageDim& dim) const { return dim.grouped() && symmetry::is_strict(dim.kind); }

std::int64_t PackedBox::last(const StorageDim& dim, std::size_t k, const Index& index) const {
  const std::int64_t end = box_.hi[dim.modes[k]] - 1;
  return k + 1 < dim.modes.size() ? std::min(end, index[dim.modes[k + 1]] - (is_strict(dim) ? 1 : 0)) : end;
}

bool PackedBox::reset(const StorageDim& dim, std::size_t k, Index& index) const {
  for (std::size_t j = 0; j < k; ++j) {
    const int mode = dim.modes[j];
    index[mode] = box_.lo[mode];
    if (j > 0) index[mode] = std::max(index[mode], index[dim.modes[j - 1]] + (is_strict(dim) ? 1 : 0));
    if (index[mode] >= box_.hi[mode]) return false;
  }
  return true;
}

bool PackedBox::advance(const StorageDim& dim, std::size_t k, Index& index) const {
  for (; k < dim.modes.size(); ++k) {
    if (index[dim.modes[k]] >= last(dim, k, index)) continue;
    ++index[dim.modes[k]];
    return reset(dim, k, index);
  }
  return false;
}

std::int64_t PackedBox::position(const Index& index) const {
  std::int64_t at = 0;
  std::array<std::int64_t, symmetry::Shape::max_order> tuple;
  for (const StorageDim& dim : shape_.dims()) {
    for (std::size_t k = 0; k < dim.modes.size(); ++k) tuple[k] = index[dim.modes[k]];
    at += dim.stride * (dim.grouped()
                            ? symmetry::rank_sorted(is_strict(dim), tuple.data(), static_cast<int>(dim.modes.size()))
                            : tuple[0]);
  }
  return at;
}

void PackedBox::for_each_run(const Part& part, const std::function<void(const StoredRun&)>& f) const {
  const std::vector<StorageDim>& dims = shape_.dims();
  Index index(static_cast<std::size_t>(shape_.order()), 0);
  if (dims.empty()) {
    if (part.count() > 0) f({0, 1, index, -1});
    return;
  }
  for (const StorageDim& dim : dims) {
    if (!reset(dim, dim.modes.size(), index)) return;
  }
  const StorageDim& fast = dims.back();  // its first mode runs fastest
  const int mode = fast.modes[0];
  std::int64_t seen = 0;
  for (bool more = true; more && seen < part.last;) {
    const std::int64_t length = last(fast, 0, index) - index[mode] + 1;
    const std::int64_t skip = std::max<std::int64_t>(0, part.first - seen);
    const std::int64_t end = std::min(length, part.last - seen);
    if (skip < end) {
      index[mode] += skip;
      f({position(index), end - skip, index, mode});
    }
    seen += length;
    more = advance(fast, 1, index);
    for (std::size_t d = dims.size() - 1; !more && d-- > 0;) {
      for (std::size_t behind = d + 1; behind < dims.size(); ++behind)
        reset(dims[behind], dims[behind].modes.size(), index);
      more = advance(dims[d], 0, index);
    }
  }
}

}  // namespace ricci::layout
