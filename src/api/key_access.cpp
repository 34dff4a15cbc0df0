#include "api/key_access.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/check_alike.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "exec/keyed.hpp"
#include "symmetry/keys.hpp"
#include "util/for_each_type.hpp"

namespace ricci::detail {

using symmetry::Shape;

void check_key(const Shape& shape, std::int64_t key) {
  if (key >= 0 && key < shape.full_size()) return;
  throw InputError(fmt::format("the key {} is out of range: a tensor with the extents {} has keys from 0 to {}", key,
                               fmt::join(shape.extents(), ","), shape.full_size() - 1));
}

namespace {

using IndexBuffer = std::array<std::int64_t, Shape::max_order>;

/// Keys go in rounds, so that what is under way stays small and in the caches. All ranks take part in all rounds.
constexpr std::int64_t round_size = 1 << 18;

std::int64_t rounds(const comm::Communicator& communicator, std::size_t keys) {
  const std::int64_t mine = (static_cast<std::int64_t>(keys) + round_size - 1) / round_size;
  return communicator.all_reduce(mine, comm::Operation::max);
}

template <class Span>
Span in_round(Span all, std::int64_t round) {
  const auto first = std::min(static_cast<std::size_t>(round * round_size), all.size());
  return all.subspan(first, std::min<std::size_t>(round_size, all.size() - first));
}

/// Everything that can be wrong with updates, before anything changes.
template <class T>
void check_updates(const Shape& shape, std::span<const std::int64_t> keys, std::span<const T> values) {
  if (keys.size() != values.size()) {
    throw InputError(
        fmt::format("{} keys were given with {} values; give one value a key", keys.size(), values.size()));
  }
  for (std::int64_t key : keys) check_key(shape, key);
  const auto& groups = shape.symmetry().groups();
  if (std::all_of(groups.begin(), groups.end(),
                  [](const SymmetryGroup& group) { return group.kind == SymmetryKind::symmetric; })) {
    return;
  }
  const symmetry::KeySplitter split(shape);
  IndexBuffer index;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (values[i] == T(0)) continue;
    split(keys[i], index.data());
    if (symmetry::sort_index(shape, index.data()) != 0) continue;
    split(keys[i], index.data());
    throw InputError(
        fmt::format("the value {} was given for key {}, index ({}), where the symmetry ({}) makes the element zero; "
                    "leave that key out or give 0",
                    to_text(values[i]), keys[i], fmt::join(index.data(), index.data() + shape.order(), ","),
                    symmetry::in_words(shape.symmetry())));
  }
}

template <class T>
struct Update {
  std::int64_t place;
  T value;
};

/// Finds elements by key. Keys often follow one another: then the next one is found from the one before.
class KeyFinder {
 public:
  explicit KeyFinder(const TensorState& state)
      : shape_(*state.shape),
        locator_(state.placement->locator()),
        split_(shape_),
        folds_(!shape_.symmetry().empty()) {}

  struct Found {
    layout::Spot spot;
    int factor;  // 0: the symmetry makes it vanish, and it has no place
  };
  Found operator()(std::int64_t key) {
    const std::int64_t ahead = key - key_;
    if (ahead >= 0 && ahead < run_) return {{found_.spot.rank, found_.spot.place + ahead}, found_.factor};
    IndexBuffer index;
    split_(key, index.data());
    const int last = shape_.order() - 1;
    const std::int64_t moving = last < 0 ? 0 : index[static_cast<std::size_t>(last)];
    found_.factor = folds_ ? symmetry::sort_index(shape_, index.data()) : 1;
    key_ = key;
    run_ = 0;
    if (found_.factor == 0) return found_;
    found_.spot = locator_.spot(index.data());
    run_ = locator_.run_along(index.data(), last, moving);
    return found_;
  }

 private:
  const Shape& shape_;
  const layout::Locator& locator_;
  symmetry::KeySplitter split_;
  bool folds_;
  Found found_{};
  std::int64_t key_ = 0, run_ = 0;
};

}  // namespace

template <class T>
void update_keys(const TensorState& state, std::span<const std::int64_t> keys, std::span<const T> values,
                 KeyUpdate update) {
  const comm::Communicator& communicator = communicator_of(state);
  const Shape& shape = *state.shape;
  check_alike(state.world, [&](std::ostream& out) {
    out << (update == KeyUpdate::write ? "write to " : "accumulate into ") << shape;
  });
  comm::together(communicator, [&] { check_updates(shape, keys, values); });
  const layout::Distribution& distribution = state.placement->distribution();
  KeyFinder find(state);
  T* const data = elements<T>(state);
  std::vector<Update<T>> updates, arrived;
  std::vector<int> targets;
  const std::int64_t count = rounds(communicator, keys.size());
  for (std::int64_t round = 0; round < count; ++round) {
    const auto some_keys = in_round(keys, round);
    const auto some_values = in_round(values, round);
    const int copies = distribution.copies();
    updates.resize(some_keys.size() * static_cast<std::size_t>(copies));
    targets.resize(updates.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < some_keys.size(); ++i) {
      const auto [spot, factor] = find(some_keys[i]);
      for (int copy = 0; factor != 0 && copy < copies; ++copy, ++used) {
        targets[used] = copies == 1 ? spot.rank : distribution.with_copy(spot.rank, copy);
        updates[used] = {spot.place, times(factor, some_values[i])};
      }
    }
    updates.resize(used);
    targets.resize(used);
    const exec::Route route(communicator, targets);
    route.forward<Update<T>>(updates, arrived);
    if (update == KeyUpdate::accumulate) {
      for (const Update<T>& item : arrived) data[item.place] += item.value;
    } else {
      for (const Update<T>& item : arrived) data[item.place] = item.value;
    }
  }
}

template <class T>
std::vector<T> read_keys(const TensorState& state, std::span<const std::int64_t> keys) {
  const comm::Communicator& communicator = communicator_of(state);
  const Shape& shape = *state.shape;
  check_alike(state.world, [&](std::ostream& out) { out << "read from " << shape; });
  comm::together(communicator, [&] {
    for (std::int64_t key : keys) check_key(shape, key);
  });
  const layout::Distribution& distribution = state.placement->distribution();
  KeyFinder find(state);
  const int copy = distribution.copy_of(state.world.rank());
  std::vector<T> values(keys.size()), answers, found;
  std::vector<std::int64_t> places, asked;
  std::vector<int> targets;
  std::vector<std::int8_t> factors;
  const std::int64_t count = rounds(communicator, keys.size());
  for (std::int64_t round = 0; round < count; ++round) {
    const auto some_keys = in_round(keys, round);
    const auto some_values = in_round(std::span<T>(values), round);
    places.resize(some_keys.size());
    targets.resize(some_keys.size());
    factors.resize(some_keys.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < some_keys.size(); ++i) {
      const auto [spot, factor] = find(some_keys[i]);
      factors[i] = static_cast<std::int8_t>(factor);
      if (factor == 0) continue;
      places[used] = spot.place;
      targets[used++] = copy == 0 ? spot.rank : distribution.with_copy(spot.rank, copy);
    }
    places.resize(used);
    targets.resize(used);
    const exec::Route route(communicator, targets);
    route.forward<std::int64_t>(places, asked);
    answers.resize(asked.size());
    const T* const data = elements<T>(state);
    for (std::size_t i = 0; i < asked.size(); ++i) answers[i] = data[asked[i]];
    route.backward<T>(answers, found);
    std::size_t next = 0;
    for (std::size_t i = 0; i < some_keys.size(); ++i) {
      some_values[i] = factors[i] == 0 ? T(0) : times(factors[i], found[next++]);
    }
  }
  return values;
}

template <class T>
WholeAccess<T>::WholeAccess(const TensorState& state)
    : shape_(*state.shape), locator_(state.placement->locator()), data_(elements<T>(state)) {}

template <class T>
std::pair<std::int64_t, int> WholeAccess<T>::find(std::span<const std::int64_t> index) const {
  IndexBuffer sorted;
  std::copy(index.begin(), index.end(), sorted.begin());
  const int factor = symmetry::sort_index(shape_, sorted.data());
  return {factor == 0 ? 0 : locator_.place(sorted.data()), factor};
}

template <class T>
T WholeAccess<T>::read(std::span<const std::int64_t> index) const {
  const auto [place, factor] = find(index);
  return factor == 0 ? T(0) : times(factor, data_[place]);
}

template <class T>
void WholeAccess<T>::write(std::span<const std::int64_t> index, T value) const {
  const auto [place, factor] = find(index);
  if (factor != 0) data_[place] = times(factor, value);
}

template <class T>
InputError contradiction(const Shape& shape, std::int64_t key, T given, T expected) {
  IndexBuffer index;
  symmetry::KeySplitter{shape}(key, index.data());
  return InputError(
      fmt::format("the given elements contradict the tensor's symmetry ({}): the one at index ({}) is {}, but the "
                  "others make it {}; give elements with that symmetry, or use a tensor without it",
                  symmetry::in_words(shape.symmetry()), fmt::join(index.data(), index.data() + shape.order(), ","),
                  to_text(given), to_text(expected)));
}

template <class T>
void AgreeingUpdate<T>::add(std::span<const std::int64_t> index, std::int64_t position, T value) {
  const layout::Distribution& distribution = target_.placement->distribution();
  IndexBuffer sorted;
  std::copy(index.begin(), index.end(), sorted.begin());
  symmetry::sort_index(*target_.shape, sorted.data());
  const int owner = target_.placement->locator().owner(sorted.data());
  for (int copy = 0; copy < distribution.copies(); ++copy) {
    items_.push_back({symmetry::key_of(*target_.shape, index.data()), position, value});
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
  const symmetry::KeySplitter split(shape);
  double largest = 0, worst_vanishing = 0;
  Item vanishing{};
  IndexBuffer index;
  std::vector<Item> items;
  route.forward<Item>(items_, items);
  for (const Item& item : items) {
    split(item.key, index.data());
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
    const double tolerance =
        largest * std::sqrt(static_cast<double>(std::numeric_limits<typename RealOf<T>::type>::epsilon()));
    if (worst_vanishing > tolerance) throw contradiction(shape, vanishing.key, vanishing.value, T(0));
    for (std::size_t i = 0, first = 0; i < arrived.size(); ++i) {
      if (arrived[i].place != arrived[first].place) first = i;
      if (difference(arrived[i].value, arrived[first].value) > tolerance) {
        // The sign with which this one was folded.
        const int sign = arrived[i].value == arrived[i].given ? 1 : -1;
        throw contradiction(shape, arrived[i].key, arrived[i].given, times(sign, arrived[first].value));
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
  template InputError contradiction<T>(const Shape&, std::int64_t, T, T);                                         \
  template class WholeAccess<T>;                                                                                  \
  template class AgreeingUpdate<T>;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::detail
