// Elements in and out, by key, by index and as a whole.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/tensor_access.hpp"
#include "kernels/local_map.hpp"
#include "symmetry/shape.hpp"
#include "util/for_each_type.hpp"
#include "util/random.hpp"

namespace ricci {

using detail::elements;
using detail::index_of_key;
using detail::require_state;
using detail::TensorState;
using symmetry::Element;
using symmetry::Shape;

namespace {

template <class T>
struct Update {
  std::int64_t offset;
  T value;
};

/// Checks every key before anything changes; folds it, with its sign.
template <class T>
std::vector<Update<T>> fold_keys(const Shape& shape, std::span<const std::int64_t> keys, std::span<const T> values) {
  if (keys.size() != values.size()) {
    throw InputError(
        fmt::format("{} keys were given with {} values; give one value a key", keys.size(), values.size()));
  }
  std::vector<Update<T>> updates;
  updates.reserve(keys.size());
  std::vector<std::int64_t> index(shape.order());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    detail::check_key(shape, keys[i]);
    index_of_key(shape, keys[i], index.data());
    const Element element = symmetry::locate(shape, index);
    if (element.factor != 0) {
      updates.push_back({element.offset, static_cast<T>(element.factor) * values[i]});
    } else if (values[i] != T(0)) {
      throw InputError(fmt::format(
          "the value {} was given for key {}, index ({}), where the symmetry ({}) makes the element zero; "
          "leave that key out or give 0",
          detail::to_text(values[i]), keys[i], fmt::join(index, ","), symmetry::in_words(shape.symmetry())));
    }
  }
  return updates;
}

}  // namespace

namespace detail {

void check_key(const Shape& shape, std::int64_t key) {
  if (key >= 0 && key < shape.full_size()) return;
  throw InputError(fmt::format("the key {} is out of range: a tensor with the extents {} has keys from 0 to {}", key,
                               fmt::join(shape.extents(), ","), shape.full_size() - 1));
}

template <class T>
SymmetricWriter<T>::SymmetricWriter(const TensorState& target) : target_(target) {
  const T* begin = elements<T>(target);
  values_.assign(begin, begin + target.shape->stored_size());
  seen_.assign(values_.size(), false);
}

template <class T>
void SymmetricWriter<T>::put(std::span<const std::int64_t> index, T value) {
  const Element element = symmetry::locate(*target_.shape, index);
  const T folded = static_cast<T>(element.factor) * value;
  double difference = 0;
  if (element.factor == 0) {
    difference = std::abs(value);
  } else if (seen_[element.offset]) {
    difference = std::abs(folded - values_[element.offset]);
  } else {
    values_[element.offset] = folded;
    seen_[element.offset] = true;
  }
  largest_ = std::max(largest_, static_cast<double>(std::abs(value)));
  if (difference > worst_) {
    worst_ = difference;
    worst_index_.assign(index.begin(), index.end());
    worst_value_ = value;
    worst_expected_ = element.factor == 0 ? T(0) : static_cast<T>(element.factor) * values_[element.offset];
  }
}

template <class T>
void SymmetricWriter<T>::commit() {
  const double tolerance = std::sqrt(static_cast<double>(std::numeric_limits<typename RealOf<T>::type>::epsilon()));
  if (worst_ > tolerance * largest_) {
    throw InputError(
        fmt::format("the given elements contradict the tensor's symmetry ({}): the one at index ({}) is {}, but the "
                    "others make it {}; give elements with that symmetry, or use a tensor without it",
                    symmetry::in_words(target_.shape->symmetry()), fmt::join(worst_index_, ","), to_text(worst_value_),
                    to_text(worst_expected_)));
  }
  std::copy(values_.begin(), values_.end(), elements<T>(target_));
}

#define RICCI_INSTANTIATE(T) template class SymmetricWriter<T>;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace detail

template <class T>
void Tensor<T>::fill(T value) {
  const TensorState& state = require_state(state_);
  std::fill_n(elements<T>(state), state.shape->stored_size(), value);
}

template <class T>
void Tensor<T>::fill_random(std::uint64_t seed, Real lo, Real hi) {
  if (!(lo <= hi))
    throw InputError(fmt::format("fill_random was given the bounds {} and {}; lo must not exceed hi", lo, hi));
  const Shape& shape = *require_state(state_).shape;
  const auto strides = shape.full_strides();
  T* out = elements<T>(*state_);
  symmetry::UniqueElements unique(shape);
  for (std::int64_t i = 0; i < shape.stored_size(); ++i, unique.next()) {
    std::uint64_t key = 0;
    for (int mode = 0; mode < shape.order(); ++mode)
      key += static_cast<std::uint64_t>(unique.index()[mode] * strides[mode]);
    out[i] = random_element<T>(seed, key, lo, hi);
  }
}

template <class T>
void Tensor<T>::write(std::span<const std::int64_t> keys, std::span<const T> values) {
  const TensorState& state = require_state(state_);
  for (const auto& update : fold_keys(*state.shape, keys, values)) elements<T>(state)[update.offset] = update.value;
}

template <class T>
void Tensor<T>::accumulate(std::span<const std::int64_t> keys, std::span<const T> values) {
  const TensorState& state = require_state(state_);
  for (const auto& update : fold_keys(*state.shape, keys, values)) elements<T>(state)[update.offset] += update.value;
}

template <class T>
std::vector<T> Tensor<T>::read(std::span<const std::int64_t> keys) const {
  const TensorState& state = require_state(state_);
  std::vector<T> values;
  values.reserve(keys.size());
  std::vector<std::int64_t> index(state.shape->order());
  for (std::int64_t key : keys) {
    detail::check_key(*state.shape, key);
    index_of_key(*state.shape, key, index.data());
    const Element element = symmetry::locate(*state.shape, index);
    values.push_back(element.factor == 0 ? T(0) : static_cast<T>(element.factor) * elements<T>(state)[element.offset]);
  }
  return values;
}

template <class T>
std::vector<T> Tensor<T>::gather() const {
  const TensorState& state = require_state(state_);
  const Shape& shape = *state.shape;
  std::vector<T> full(static_cast<std::size_t>(shape.full_size()));
  if (shape.symmetry().empty()) {
    std::copy_n(elements<T>(state), shape.full_size(), full.begin());
    return full;
  }
  const Shape unpacked(shape.extents(), {});
  std::vector<int> labels(shape.order());
  for (int mode = 0; mode < shape.order(); ++mode) labels[mode] = mode;
  const kernels::LocalMap unpack({&unpacked, labels}, {&shape, labels}, {}, shape.extents(), sizeof(T));
  unpack.run(elements<T>(state), static_cast<const T*>(nullptr), {}, T(1), false, full.data(), 1);
  return full;
}

template <class T>
void Tensor<T>::assign_dense(std::span<const T> values) {
  const TensorState& state = require_state(state_);
  const Shape& shape = *state.shape;
  if (static_cast<std::int64_t>(values.size()) != shape.full_size()) {
    throw InputError(fmt::format("assign_dense was given {} elements, but a tensor with the extents {} has {}",
                                 values.size(), fmt::join(shape.extents(), ","), shape.full_size()));
  }
  if (shape.symmetry().empty()) {
    std::copy(values.begin(), values.end(), elements<T>(state));
    return;
  }
  detail::SymmetricWriter<T> writer(state);
  std::vector<std::int64_t> index(shape.order());
  for (std::size_t key = 0; key < values.size(); ++key) {
    index_of_key(shape, static_cast<std::int64_t>(key), index.data());
    writer.put(index, values[key]);
  }
  writer.commit();
}

template <class T>
void Tensor<T>::for_each_unique(const std::function<void(Index, T&)>& f) {
  const TensorState& state = require_state(state_);
  T* const begin = elements<T>(state);
  symmetry::UniqueElements unique(*state.shape);
  for (std::int64_t i = 0; i < state.shape->stored_size(); ++i, unique.next()) f(unique.index(), begin[i]);
}

template <class T>
void Tensor<T>::for_each_value(const Tensor* a, const Tensor* b,
                               const std::function<void(T*, const T*, const T*, std::int64_t)>& f) {
  const TensorState& state = require_state(state_);
  for (const Tensor* other : {a, b}) {
    if (other && !(*require_state(other->state_).shape == *state.shape)) {
      throw InputError(
          fmt::format("map was given a tensor with the extents {} for one with the extents {}; all three need the "
                      "same extents and symmetry",
                      fmt::join(other->extents(), ","), fmt::join(extents(), ",")));
    }
  }
  f(elements<T>(state), a ? elements<T>(*a->state_) : nullptr, b ? elements<T>(*b->state_) : nullptr,
    state.shape->stored_size());
}

#define RICCI_INSTANTIATE(T)                                                              \
  template void Tensor<T>::fill(T);                                                       \
  template void Tensor<T>::fill_random(std::uint64_t, Real, Real);                        \
  template void Tensor<T>::write(std::span<const std::int64_t>, std::span<const T>);      \
  template void Tensor<T>::accumulate(std::span<const std::int64_t>, std::span<const T>); \
  template std::vector<T> Tensor<T>::read(std::span<const std::int64_t>) const;           \
  template std::vector<T> Tensor<T>::gather() const;                                      \
  template void Tensor<T>::assign_dense(std::span<const T>);                              \
  template void Tensor<T>::for_each_unique(const std::function<void(Index, T&)>&);        \
  template void Tensor<T>::for_each_value(const Tensor*, const Tensor*,                   \
                                          const std::function<void(T*, const T*, const T*, std::int64_t)>&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
