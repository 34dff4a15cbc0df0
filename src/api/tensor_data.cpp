// Elements in and out, by key, by index and as a whole.
#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/check_alike.hpp"
#include "api/dense_check.hpp"
#include "api/key_access.hpp"
#include "api/statement.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "kernels/piece_copy.hpp"
#include "layout/fill_random.hpp"
#include "layout/local_elements.hpp"
#include "layout/redistribution.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::communicator_of;
using detail::elements;
using detail::require_state;
using detail::TensorState;
using symmetry::Shape;

template <class T>
void Tensor<T>::fill(T value) {
  const TensorState& state = require_state(state_);
  std::fill_n(elements<T>(state), state.placement->size(), value);
}

template <class T>
void Tensor<T>::fill_random(std::uint64_t seed, Real lo, Real hi) {
  if (!(lo <= hi))
    throw InputError(fmt::format("fill_random was given the bounds {} and {}; lo must not exceed hi", lo, hi));
  const TensorState& state = require_state(state_);
  const std::vector<std::int64_t> origin(static_cast<std::size_t>(state.shape->order()), 0);
  layout::fill_random(layout::LocalElements(state.placement->distribution(), state.placement->tiles()), *state.shape,
                      origin, layout::RandomRange<Real>{seed, lo, hi}, elements<T>(state));
}

template <class T>
void Tensor<T>::write(std::span<const std::int64_t> keys, std::span<const T> values) {
  detail::update_keys(require_state(state_), keys, values, detail::KeyUpdate::write);
}

template <class T>
void Tensor<T>::accumulate(std::span<const std::int64_t> keys, std::span<const T> values) {
  detail::update_keys(require_state(state_), keys, values, detail::KeyUpdate::accumulate);
}

template <class T>
std::vector<T> Tensor<T>::read(std::span<const std::int64_t> keys) const {
  return detail::read_keys<T>(require_state(state_), keys);
}

template <class T>
void Tensor<T>::assign_dense(std::span<const T> values) {
  const TensorState& state = require_state(state_);
  const Shape& shape = *state.shape;
  comm::together(detail::communicator_of(state), [&] {
    if (static_cast<std::int64_t>(values.size()) == shape.full_size()) return;
    throw InputError(fmt::format("assign_dense was given {} elements, but a tensor with the extents {} has {}",
                                 values.size(), fmt::join(shape.extents(), ","), shape.full_size()));
  });
  detail::check_alike(state.world, [&](std::ostream& out) {
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    out << "assign_dense of " << shape << " with the hash " << std::hash<std::string_view>{}(bytes);
  });
  if (!shape.symmetry().empty()) {
    comm::together(communicator_of(state), [&] {
      detail::check_dense(shape, values, {state.world.rank(), state.world.size()});
    });
  }
  const layout::DensePieces own(state.placement->distribution(), state.world.rank());
  kernels::PieceCopy{sizeof(T), detail::thread_count(state.world.options())}.copy(
      own.pieces, reinterpret_cast<const std::byte*>(values.data()), state.data.data());
}

template <class T>
void Tensor<T>::for_each_unique(const std::function<void(Index, T&)>& f, bool changes) {
  const TensorState& state = require_state(state_);
  std::exception_ptr failure;  // thrown on by this rank once those with copies have been served
  try {
    if (state.placement->is_first_copy()) {
      T* const begin = elements<T>(state);
      layout::LocalElements local(state.placement->distribution(), state.placement->tiles());
      for (std::int64_t i = 0; i < local.size(); ++i, local.next()) f(local.index(), begin[i]);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  if (changes) detail::refresh_copies(state);
  if (failure) std::rethrow_exception(failure);
}

template <class T>
void Tensor<T>::for_each_value(const Tensor* a, const Tensor* b,
                               const std::function<void(T*, const T*, const T*, std::int64_t)>& f) {
  const TensorState& state = require_state(state_);
  std::vector<AlignedBuffer> copies;
  const auto data_of = [&](const Tensor* other) -> const T* {
    if (!other) return nullptr;
    const TensorState& theirs = require_state(other->state_);
    detail::require_one_world(state, theirs);
    if (!(*theirs.shape == *state.shape)) {
      throw InputError(
          fmt::format("map was given a tensor with the extents {} for one with the extents {}; all three need the "
                      "same extents and symmetry",
                      fmt::join(other->extents(), ","), fmt::join(extents(), ",")));
    }
    if (theirs.placement->distribution().layout() == state.placement->distribution().layout()) {
      return elements<T>(theirs);
    }
    copies.push_back(detail::moved(theirs, *state.placement));
    return copies.back().as<T>();
  };
  const T *x = data_of(a), *y = data_of(b);
  f(elements<T>(state), x, y, state.placement->size());
}

#define RICCI_INSTANTIATE(T)                                                              \
  template void Tensor<T>::fill(T);                                                       \
  template void Tensor<T>::fill_random(std::uint64_t, Real, Real);                        \
  template void Tensor<T>::write(std::span<const std::int64_t>, std::span<const T>);      \
  template void Tensor<T>::accumulate(std::span<const std::int64_t>, std::span<const T>); \
  template std::vector<T> Tensor<T>::read(std::span<const std::int64_t>) const;           \
  template void Tensor<T>::assign_dense(std::span<const T>);                              \
  template void Tensor<T>::for_each_unique(const std::function<void(Index, T&)>&, bool);  \
  template void Tensor<T>::for_each_value(const Tensor*, const Tensor*,                   \
                                          const std::function<void(T*, const T*, const T*, std::int64_t)>&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
