#include "api/key_access.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "exec/keyed.hpp"
#include "util/for_each_type.hpp"

namespace ricci::detail {

using symmetry::Shape;

void check_key(const Shape& shape, std::int64_t key) {
  if (key >= 0 && key < shape.full_size()) return;
  throw InputError(fmt::format("the key {} is out of range: a tensor with the extents {} has keys from 0 to {}", key,
                               fmt::join(shape.extents(), ","), shape.full_size() - 1));
}

namespace {

std::int64_t key_of(const Shape& shape, const std::int64_t* index) {
  std::int64_t key = 0;
  for (int mode = 0; mode < shape.order(); ++mode) key += index[mode] * shape.full_strides()[mode];
  return key;
}

using IndexBuffer = std::array<std::int64_t, Shape::max_order>;

/// Keys of sorted indices, with the ranks that hold them (all copies, for updates).
struct Folded {
  std::vector<std::int64_t> keys;
  std::vector<int> targets;
};

template <class T>
Folded fold_updates(const TensorState& state, std::span<const std::int64_t> keys, std::span<const T> values,
                    std::vector<T>& folded_values) {
  const Shape& shape = *state.shape;
  if (keys.size() != values.size()) {
    throw InputError(
        fmt::format("{} keys were given with {} values; give one value a key", keys.size(), values.size()));
  }
  const layout::Distribution& distribution = state.placement->distribution();
  const layout::Locator& locator = state.placement->locator();
  const std::size_t copies = static_cast<std::size_t>(distribution.copies());
  Folded folded;
  folded.keys.reserve(keys.size() * copies);
  folded.targets.reserve(keys.size() * copies);
  folded_values.reserve(keys.size() * copies);
  IndexBuffer index;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    check_key(shape, keys[i]);
    index_of_key(shape, keys[i], index.data());
    const int factor = symmetry::sort_index(shape, index.data());
    if (factor == 0) {
      if (values[i] == T(0)) continue;
      index_of_key(shape, keys[i], index.data());
      throw InputError(
          fmt::format("the value {} was given for key {}, index ({}), where the symmetry ({}) makes the element zero; "
                      "leave that key out or give 0",
                      to_text(values[i]), keys[i], fmt::join(index.data(), index.data() + shape.order(), ","),
                      symmetry::in_words(shape.symmetry())));
    }
    const std::int64_t key = key_of(shape, index.data());
    const int owner = locator.owner(index.data());
    for (int copy = 0; copy < distribution.copies(); ++copy) {
      folded.keys.push_back(key);
      folded.targets.push_back(distribution.with_copy(owner, copy));
      folded_values.push_back(times(factor, values[i]));
    }
  }
  return folded;
}

/// Where this rank stores the elements with these keys.
template <class F>
void for_each_place(const TensorState& state, std::span<const std::int64_t> sorted_keys, F f) {
  const layout::Locator& locator = state.placement->locator();
  IndexBuffer index;
  for (std::size_t i = 0; i < sorted_keys.size(); ++i) {
    index_of_key(*state.shape, sorted_keys[i], index.data());
    f(i, locator.place(index.data()));
  }
}

}  // namespace

template <class T>
void update_keys(const TensorState& state, std::span<const std::int64_t> keys, std::span<const T> values,
                 KeyUpdate update) {
  std::vector<T> folded_values;
  Folded folded;
  comm::together(communicator_of(state), [&] { folded = fold_updates(state, keys, values, folded_values); });
  const exec::Route route(communicator_of(state), folded.targets);
  const auto here = route.forward<std::int64_t>(folded.keys);
  const auto arrived = route.forward<T>(folded_values);
  T* const data = elements<T>(state);
  for_each_place(state, here, [&](std::size_t i, std::int64_t place) {
    data[place] = update == KeyUpdate::accumulate ? data[place] + arrived[i] : arrived[i];
  });
}

template <class T>
std::vector<T> read_keys(const TensorState& state, std::span<const std::int64_t> keys) {
  const Shape& shape = *state.shape;
  const layout::Distribution& distribution = state.placement->distribution();
  std::vector<int> factors(keys.size(), 0);
  Folded folded;
  comm::together(communicator_of(state), [&] {
    const int copy = distribution.copy_of(state.world.rank());
    IndexBuffer index;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      check_key(shape, keys[i]);
      index_of_key(shape, keys[i], index.data());
      factors[i] = symmetry::sort_index(shape, index.data());
      if (factors[i] == 0) continue;
      folded.keys.push_back(key_of(shape, index.data()));
      folded.targets.push_back(distribution.with_copy(state.placement->locator().owner(index.data()), copy));
    }
  });
  const exec::Route route(communicator_of(state), folded.targets);
  const auto asked = route.forward<std::int64_t>(folded.keys);
  std::vector<T> answers(asked.size());
  for_each_place(state, asked, [&](std::size_t i, std::int64_t place) { answers[i] = elements<T>(state)[place]; });
  const auto found = route.backward<T>(answers);
  std::vector<T> values(keys.size(), T(0));
  std::size_t next = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (factors[i] != 0) values[i] = times(factors[i], found[next++]);
  }
  return values;
}

template <class T>
void AgreeingUpdate<T>::add(std::span<const std::int64_t> index, std::int64_t position, T value) {
  const layout::Distribution& distribution = target_.placement->distribution();
  IndexBuffer sorted;
  std::copy(index.begin(), index.end(), sorted.begin());
  symmetry::sort_index(*target_.shape, sorted.data());
  const int owner = target_.placement->locator().owner(sorted.data());
  for (int copy = 0; copy < distribution.copies(); ++copy) {
    items_.push_back({key_of(*target_.shape, index.data()), position, value});
    targets_.push_back(distribution.with_copy(owner, copy));
  }
}

template <class T>
void AgreeingUpdate<T>::commit() {
  const comm::Communicator& communicator = communicator_of(target_);
  const Shape& shape = *target_.shape;
  const exec::Route route(communicator, targets_);
  struct Arrived {
    std::int64_t place, position, key;
    T value, given;
  };
  std::vector<Arrived> arrived;
  double largest = 0, worst_vanishing = 0;
  Item vanishing{};
  IndexBuffer index;
  for (const Item& item : route.forward<Item>(items_)) {
    index_of_key(shape, item.key, index.data());
    const int factor = symmetry::sort_index(shape, index.data());
    largest = larger(largest, item.value);
    if (factor == 0) {
      const double apart = difference(item.value, T(0));
      if (apart > worst_vanishing) vanishing = item;
      worst_vanishing = std::max(worst_vanishing, apart);
    } else {
      arrived.push_back({target_.placement->locator().place(index.data()), item.position, item.key,
                         times(factor, item.value), item.value});
    }
  }
  std::sort(arrived.begin(), arrived.end(), [](const Arrived& x, const Arrived& y) {
    return std::tie(x.place, x.position) < std::tie(y.place, y.position);
  });
  largest = communicator.all_reduce(largest, comm::Operation::max);
  comm::together(communicator, [&] {
    if (shape.symmetry().empty()) return;
    const auto contradiction = [&](std::int64_t key, T given, T expected) {
      index_of_key(shape, key, index.data());
      return InputError(
          fmt::format("the given elements contradict the tensor's symmetry ({}): the one at index ({}) is {}, but the "
                      "others make it {}; give elements with that symmetry, or use a tensor without it",
                      symmetry::in_words(shape.symmetry()), fmt::join(index.data(), index.data() + shape.order(), ","),
                      to_text(given), to_text(expected)));
    };
    const double tolerance =
        largest * std::sqrt(static_cast<double>(std::numeric_limits<typename RealOf<T>::type>::epsilon()));
    if (worst_vanishing > tolerance) throw contradiction(vanishing.key, vanishing.value, T(0));
    for (std::size_t i = 0, first = 0; i < arrived.size(); ++i) {
      if (arrived[i].place != arrived[first].place) first = i;
      if (difference(arrived[i].value, arrived[first].value) > tolerance) {
        // The sign with which this one was folded.
        const int sign = arrived[i].value == arrived[i].given ? 1 : -1;
        throw contradiction(arrived[i].key, arrived[i].given, times(sign, arrived[first].value));
      }
    }
  });
  // Backwards, the first stands; forwards, the last.
  if (!shape.symmetry().empty()) std::reverse(arrived.begin(), arrived.end());
  for (const Arrived& item : arrived) elements<T>(target_)[item.place] = item.value;
}

#define RICCI_INSTANTIATE(T)                                                                                      \
  template void update_keys<T>(const TensorState&, std::span<const std::int64_t>, std::span<const T>, KeyUpdate); \
  template std::vector<T> read_keys<T>(const TensorState&, std::span<const std::int64_t>);                        \
  template class AgreeingUpdate<T>;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::detail
