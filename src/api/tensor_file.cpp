// Saving to and loading from files: every rank moves its part of the file, in slabs of bounded size.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/key_access.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "exec/keyed.hpp"
#include "exec/packed_runs.hpp"
#include "exec/shared_file.hpp"
#include "symmetry/keys.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::communicator_of;
using detail::elements;
using detail::require_state;
using detail::TensorState;
using symmetry::Shape;

namespace {

void check_header(const TensorState& state, const storage::ArrayHeader& header, const std::string& where) {
  if (header.type != state.type || header.shape.extents() != state.shape->extents()) {
    throw InputError(
        fmt::format("{} holds {}, but the tensor is {} {}; load it into a tensor of the same type and extents", where,
                    storage::describe(header), name_of(state.type), fmt::join(state.shape->extents(), ",")));
  }
  if (!header.shape.symmetry().empty() && !(header.shape == *state.shape)) {
    throw InputError(fmt::format(
        "{} holds a tensor with another symmetry than this one; load it into a tensor with its symmetry", where));
  }
}

exec::PackedRuns packed_runs(const TensorState& state, const storage::ArrayHeader& header) {
  return {communicator_of(state), state.placement->distribution(), state.placement->locator(), element_size(state.type),
          exec::largest_slab(header, state.world.size())};
}

/// One rank that holds the tensor as it is in the file.
bool is_alone(const TensorState& state) { return state.world.size() == 1 && state.placement->is_whole(); }

/// Unpacked elements by key go in pieces such that no rank gets more than about 4 MiB of them at once, or 1024 from
/// each rank, even where all of them fold to places of one rank.
std::int64_t piece_of_keys(const TensorState& state) {
  return std::max<std::int64_t>(storage::chunk_elements(state.type) / state.world.size(), 1024);
}

/// f(first key, keys) on every rank equally often.
template <class F>
void for_each_piece(const TensorState& state, const storage::ArrayHeader& header, std::int64_t first,
                    std::int64_t count, F f) {
  const std::int64_t most = piece_of_keys(state), all = exec::largest_slab(header, state.world.size());
  for (std::int64_t piece = 0; piece * most < all; ++piece) {
    const std::int64_t done = std::min(piece * most, count);
    f(first + done, std::min(most, count - done));
  }
}

/// Sets a packed tensor from all of its unpacked elements, which come in any order and to any rank. Each goes to the
/// owner of the place that it folds to. Of those that fold to one place the one with sorted indices stands, and the
/// others must agree. As this shows only at the end, owners keep a copy of their part of the tensor until then.
template <class T>
class FoldingLoad {
 public:
  explicit FoldingLoad(const TensorState& state)
      : state_(state),
        split_(*state.shape),
        values_(state.placement->is_first_copy() ? static_cast<std::size_t>(state.placement->size()) : 0),
        seen_(values_.size(), false) {}

  /// Collective: the elements with the keys first, first + 1, …
  void put(std::int64_t first, std::span<const T> elements) {
    std::vector<Item> items;
    std::vector<int> targets;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      items.push_back({first + static_cast<std::int64_t>(i), elements[i]});
      split_(items.back().key, index_.data());
      symmetry::sort_index(*state_.shape, index_.data());
      targets.push_back(state_.placement->locator().owner(index_.data()));
    }
    std::vector<Item> arrived;
    exec::Route(communicator_of(state_), targets).template forward<Item>(items, arrived);
    for (const Item& item : arrived) keep(item);
  }

  /// Collective: InputError where elements contradict each other; else they become the tensor's.
  void commit() {
    const comm::Communicator& communicator = communicator_of(state_);
    largest_ = communicator.all_reduce(largest_, comm::Operation::max);
    const double worst = communicator.all_reduce(worst_, comm::Operation::max);
    const double epsilon = std::numeric_limits<typename detail::RealOf<T>::type>::epsilon();
    comm::together(communicator, [&] {
      if (worst_ < worst || worst <= std::sqrt(epsilon) * largest_) return;
      split_(worst_item_.key, index_.data());
      throw InputError(
          fmt::format("the given elements contradict the tensor's symmetry ({}): the one at index ({}) is {}, but the "
                      "others make it {}; give elements with that symmetry, or use a tensor without it",
                      symmetry::in_words(state_.shape->symmetry()),
                      fmt::join(index_.data(), index_.data() + state_.shape->order(), ","),
                      detail::to_text(worst_item_.value), detail::to_text(expected_)));
    });
    std::copy(values_.begin(), values_.end(), elements<T>(state_));
    refresh_copies(state_);
  }

 private:
  struct Item {
    std::int64_t key;
    T value;
  };

  void keep(const Item& item) {
    split_(item.key, index_.data());
    const int factor = symmetry::sort_index(*state_.shape, index_.data());
    const T folded = detail::times(factor, item.value);
    T expected = folded;
    if (factor == 0) {
      expected = T(0);
    } else {
      const auto place = static_cast<std::size_t>(state_.placement->locator().place(index_.data()));
      if (seen_[place]) expected = values_[place];
      if (!seen_[place] || is_sorted(item.key)) values_[place] = folded;
      seen_[place] = true;
    }
    largest_ = detail::larger(largest_, item.value);
    const double apart = detail::difference(factor == 0 ? item.value : folded, expected);
    if (apart > worst_) {
      worst_ = apart;
      worst_item_ = item;
      expected_ = factor == 0 ? T(0) : detail::times(factor, expected);
    }
  }
  /// Whether sorting has left the index as it was.
  bool is_sorted(std::int64_t key) const {
    for (int mode = 0; mode < state_.shape->order(); ++mode) key -= index_[mode] * state_.shape->full_strides()[mode];
    return key == 0;
  }

  const TensorState& state_;
  symmetry::KeySplitter split_;
  std::vector<T> values_;
  std::vector<bool> seen_;
  std::array<std::int64_t, Shape::max_order> index_{};
  double largest_ = 0, worst_ = 0;
  Item worst_item_{};
  T expected_{};
};

}  // namespace

template <class T>
void Tensor<T>::save(const std::string& where) const {
  const TensorState& state = require_state(state_);
  const storage::Location location = storage::parse_location(where);
  const comm::Communicator& communicator = communicator_of(state);
  const bool packed = location.format == storage::FileFormat::hdf5 || state.shape->symmetry().empty();
  const storage::ArrayHeader header{state.type, packed ? *state.shape : Shape(state.shape->extents(), {})};
  if (packed && is_alone(state)) {
    exec::write_together(communicator, location, header, [&](std::int64_t first, std::int64_t count, void* out) {
      std::copy_n(elements<T>(state) + first, count, static_cast<T*>(out));
    });
  } else if (packed) {
    const exec::PackedRuns runs = packed_runs(state, header);
    exec::write_together(communicator, location, header, [&](std::int64_t first, std::int64_t count, void* out) {
      runs.fetch(state.data.data(), first, count, static_cast<std::byte*>(out));
    });
  } else {
    exec::write_together(communicator, location, header, [&](std::int64_t first, std::int64_t count, void* out) {
      T* next = static_cast<T*>(out);
      for_each_piece(state, header, first, count, [&](std::int64_t key, std::int64_t keys) {
        std::vector<std::int64_t> wanted(static_cast<std::size_t>(keys));
        for (std::int64_t& one : wanted) one = key++;
        const auto values = detail::read_keys<T>(state, wanted);
        next = std::copy(values.begin(), values.end(), next);
      });
    });
  }
}

template <class T>
void Tensor<T>::load(const std::string& where) {
  const TensorState& state = require_state(state_);
  const comm::Communicator& communicator = communicator_of(state);
  const exec::SharedReader file(communicator, storage::parse_location(where));
  const storage::ArrayHeader& header = file.header();
  comm::together(communicator, [&] { check_header(state, header, where); });
  if (!(header.shape == *state.shape)) {
    FoldingLoad<T> folding(state);
    file.read([&](std::int64_t first, std::int64_t count, const void* in) {
      const std::span<const T> values(static_cast<const T*>(in), static_cast<std::size_t>(count));
      for_each_piece(state, header, first, count, [&](std::int64_t key, std::int64_t keys) {
        folding.put(key, values.subspan(static_cast<std::size_t>(key - first), static_cast<std::size_t>(keys)));
      });
    });
    folding.commit();
    return;
  }
  file.prove();  // from here on elements replace those of the tensor: there is no second copy of it
  if (is_alone(state)) {
    file.read([&](std::int64_t first, std::int64_t count, const void* in) {
      std::copy_n(static_cast<const T*>(in), count, elements<T>(state) + first);
    });
    return;
  }
  const exec::PackedRuns runs = packed_runs(state, header);
  file.read([&](std::int64_t first, std::int64_t count, const void* in) {
    runs.deliver(static_cast<const std::byte*>(in), first, count, state.data.data());
  });
}

#define RICCI_INSTANTIATE(T)                               \
  template void Tensor<T>::save(const std::string&) const; \
  template void Tensor<T>::load(const std::string&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
