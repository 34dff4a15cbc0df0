// Slices and subsets: a list of positions for each mode.
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/key_access.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "layout/local_elements.hpp"
#include "symmetry/images.hpp"
#include "symmetry/shape.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::elements;
using detail::require_state;
using detail::TensorState;
using symmetry::Shape;

namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

Lists lists_of_box(const Shape& shape, const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) {
  const std::size_t order = static_cast<std::size_t>(shape.order());
  if (lo.size() != order || hi.size() != order) {
    throw InputError(fmt::format(
        "a slice was given {} lower and {} upper bounds, but the tensor has order {}; give one of each a mode",
        lo.size(), hi.size(), order));
  }
  Lists lists(order);
  for (std::size_t mode = 0; mode < order; ++mode) {
    if (lo[mode] < 0 || hi[mode] < lo[mode] || hi[mode] > shape.extents()[mode]) {
      throw InputError(fmt::format("the slice {} to {} of mode {} is out of range; it needs 0 <= lo <= hi <= {}",
                                   lo[mode], hi[mode], mode, shape.extents()[mode]));
    }
    lists[mode].resize(static_cast<std::size_t>(hi[mode] - lo[mode]));
    std::iota(lists[mode].begin(), lists[mode].end(), lo[mode]);
  }
  return lists;
}

void check_lists(const Shape& shape, const Lists& lists) {
  if (static_cast<int>(lists.size()) != shape.order()) {
    throw InputError(fmt::format("a subset was given {} lists, but the tensor has order {}; give one a mode",
                                 lists.size(), shape.order()));
  }
  for (std::size_t mode = 0; mode < lists.size(); ++mode) {
    for (std::int64_t position : lists[mode]) {
      if (position < 0 || position >= shape.extents()[mode]) {
        throw InputError(
            fmt::format("the list for mode {} names position {}, but its extent is {}; positions run from 0 to {}",
                        mode, position, shape.extents()[mode], shape.extents()[mode] - 1));
      }
    }
  }
}

Extents extents_of(const Lists& lists) {
  Extents extents;
  for (const auto& list : lists) extents.push_back(static_cast<std::int64_t>(list.size()));
  return extents;
}

void check_fits(const Shape& source, const Extents& part) {
  if (source.order() != static_cast<int>(part.size())) {
    throw InputError(fmt::format(
        "a tensor of order {} (extents {}) cannot be put into a part of order {} (extents {}); give one of the "
        "same order",
        source.order(), fmt::join(source.extents(), ","), part.size(), fmt::join(part, ",")));
  }
  for (std::size_t mode = 0; mode < part.size(); ++mode) {
    if (source.extents()[mode] == part[mode]) continue;
    throw InputError(fmt::format(
        "mode {} of the given tensor has the extent {}, but {} positions are to be filled; give a tensor of the "
        "same extents as the part ({})",
        mode, source.extents()[mode], part[mode], fmt::join(part, ",")));
  }
}

/// A group survives where all of its modes have one list. (With a position named twice, elements of an antisymmetric or
/// hollow group vanish off the new diagonal, too: they are stored as zeros.)
Symmetry surviving(const Shape& shape, const Lists& lists) {
  Symmetry symmetry;
  for (const SymmetryGroup& group : shape.symmetry().groups()) {
    bool alike = true;
    for (int mode : group.modes) alike = alike && lists[mode] == lists[group.modes[0]];
    if (alike) symmetry = symmetry * Symmetry(group.kind, group.modes);
  }
  return symmetry;
}

std::int64_t key_of(const Shape& shape, const Lists& lists, Index at) {
  std::int64_t key = 0;
  for (std::size_t mode = 0; mode < lists.size(); ++mode) {
    key += lists[mode][static_cast<std::size_t>(at[mode])] * shape.full_strides()[mode];
  }
  return key;
}

/// Each rank asks for what its part of the result needs.
template <class T>
Tensor<T> take(const Tensor<T>& tensor, const TensorState& state, const Lists& lists) {
  Tensor<T> result(tensor.world(), extents_of(lists), surviving(*state.shape, lists));
  std::vector<std::int64_t> keys;
  std::as_const(result).for_each_local([&](Index at, const T&) { keys.push_back(key_of(*state.shape, lists, at)); });
  const std::vector<T> values = detail::read_keys<T>(state, keys);
  std::size_t next = 0;
  result.for_each_local([&](Index, T& value) { value = values[next++]; });
  return result;
}

/// Each rank brings the unpacked elements of its part of the source.
template <class T>
void put(const TensorState& state, const Lists& lists, const TensorState& source) {
  check_fits(*source.shape, extents_of(lists));
  detail::require_one_world(state, source);
  detail::AgreeingUpdate<T> update(state);
  std::vector<std::int64_t> index(lists.size());
  const auto bring = [&](Index at, T value) {
    std::int64_t position = 0;
    for (std::size_t mode = 0; mode < lists.size(); ++mode) {
      index[mode] = lists[mode][static_cast<std::size_t>(at[mode])];
      position += at[mode] * source.shape->full_strides()[mode];
    }
    update.add(index, position, value);
  };
  if (source.placement->is_first_copy()) {
    layout::LocalElements local(source.placement->distribution(), source.placement->tiles());
    for (std::int64_t i = 0; i < local.size(); ++i, local.next()) {
      symmetry::for_each_image(*source.shape, local.index(),
                               [&](Index at, int sign) { bring(at, detail::times(sign, elements<T>(source)[i])); });
    }
  }
  update.commit();
}

}  // namespace

template <class T>
Tensor<T> Tensor<T>::slice(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) const {
  const TensorState& state = require_state(state_);
  return take(*this, state, lists_of_box(*state.shape, lo, hi));
}

template <class T>
void Tensor<T>::assign_slice(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi,
                             const Tensor& tensor) {
  const TensorState& state = require_state(state_);
  put<T>(state, lists_of_box(*state.shape, lo, hi), require_state(tensor.state_));
}

template <class T>
Tensor<T> Tensor<T>::subset(const std::vector<std::vector<std::int64_t>>& lists) const {
  const TensorState& state = require_state(state_);
  check_lists(*state.shape, lists);
  return take(*this, state, lists);
}

template <class T>
void Tensor<T>::assign_subset(const std::vector<std::vector<std::int64_t>>& lists, const Tensor& tensor) {
  const TensorState& state = require_state(state_);
  check_lists(*state.shape, lists);
  put<T>(state, lists, require_state(tensor.state_));
}

#define RICCI_INSTANTIATE(T)                                                                                     \
  template Tensor<T> Tensor<T>::slice(const std::vector<std::int64_t>&, const std::vector<std::int64_t>&) const; \
  template void Tensor<T>::assign_slice(const std::vector<std::int64_t>&, const std::vector<std::int64_t>&,      \
                                        const Tensor&);                                                          \
  template Tensor<T> Tensor<T>::subset(const std::vector<std::vector<std::int64_t>>&) const;                     \
  template void Tensor<T>::assign_subset(const std::vector<std::vector<std::int64_t>>&, const Tensor&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
