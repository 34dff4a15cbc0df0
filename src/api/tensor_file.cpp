// Saving to and loading from files: every rank moves its part of the file, in slabs of bounded size.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/key_access.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "exec/run_exchange.hpp"
#include "exec/shared_file.hpp"
#include "layout/packed_runs.hpp"
#include "layout/row_runs.hpp"
#include "util/for_each_type.hpp"

namespace ricci {

using detail::communicator_of;
using detail::elements;
using detail::require_state;
using detail::TensorState;
using exec::RunExchange;
using symmetry::Shape;

namespace {

using Run = RunExchange::Run;

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

/// What a rank reads or writes at a time: 4 MiB, or a small part of what it may take. What comes from others or goes to
/// them takes two or three times as much beside.
std::int64_t slab_bytes(const TensorState& state) {
  constexpr std::int64_t least = std::int64_t{64} << 10;
  const std::int64_t most = storage::chunk_elements(state.type) * static_cast<std::int64_t>(element_size(state.type));
  const std::int64_t limit = state.world.options().memory_limit;
  return limit > 0 ? std::clamp(limit / 128, least, most) : most;
}

/// Moves elements in the order of the file, of which `runs` tells where they are.
template <class Runs>
RunExchange exchange_of(const TensorState& state, const storage::ArrayHeader& header, Runs& runs) {
  return {communicator_of(state), state.placement->distribution(), element_size(state.type),
          exec::largest_slab(header, state.world.size(), slab_bytes(state)),
          [&runs, rank = state.world.rank()](std::int64_t first) {
            const auto run = runs.at(first);
            // What vanishes is nobody's, and need not travel.
            return RunExchange::Stretch{run.count, run.owner < 0 ? rank : run.owner};
          }};
}

/// One rank that holds the tensor as it is in the file.
bool is_alone(const TensorState& state) { return state.world.size() == 1 && state.placement->is_whole(); }

/// The unpacked elements of a run that this rank holds.
template <class T>
void unfold(layout::RowRuns& runs, const Run& run, const T* packed, T* out) {
  const int factor = runs.at(run.first).factor;
  if (factor == 0) {
    std::fill_n(out, run.count, T(0));
  } else if (factor == 1) {
    runs.for_each_place(run.count, [&](std::int64_t place) { *out++ = packed[place]; });
  } else {
    runs.for_each_place(run.count, [&](std::int64_t place) { *out++ = -packed[place]; });
  }
}

/// Sets a packed tensor from all of its unpacked elements, which come in any order and to any rank. Each goes to the
/// owner of the place that it folds to. Of those that fold to one place the one with sorted indices stands, and the
/// others must agree. As this shows only at the end, owners keep a copy of their part of the tensor until then.
template <class T>
class FoldingLoad {
 public:
  FoldingLoad(const TensorState& state, const storage::ArrayHeader& header)
      : state_(state),
        runs_(state.placement->locator()),
        exchange_(exchange_of(state, header, runs_)),
        values_(state.placement->is_first_copy() ? static_cast<std::size_t>(state.placement->size()) : 0),
        seen_(values_.size(), 0) {}
  FoldingLoad(const FoldingLoad&) = delete;
  FoldingLoad& operator=(const FoldingLoad&) = delete;

  /// Collective: the elements with the keys first, first + 1, …
  void put(std::int64_t first, std::int64_t count, const T* elements) {
    exchange_.deliver(reinterpret_cast<const std::byte*>(elements), first, count, RunExchange::To::first_copy,
                      [&](const Run& run, const std::byte* in) { keep(run, reinterpret_cast<const T*>(in)); });
  }

  /// Collective: InputError where elements contradict each other; else they become the tensor's.
  void commit() {
    const comm::Communicator& communicator = communicator_of(state_);
    largest_ = communicator.all_reduce(largest_, comm::Operation::max);
    const double worst = communicator.all_reduce(worst_, comm::Operation::max);
    const double epsilon = std::numeric_limits<typename detail::RealOf<T>::type>::epsilon();
    comm::together(communicator, [&] {
      if (worst_ < worst || worst <= std::sqrt(epsilon) * largest_) return;
      throw detail::contradiction(*state_.shape, worst_key_, given_, expected_);
    });
    std::copy(values_.begin(), values_.end(), elements<T>(state_));
    refresh_copies(state_);
  }

 private:
  void keep(const Run& run, const T* given) {
    const layout::RowRun row = runs_.at(run.first);
    for (std::int64_t i = 0; i < run.count; ++i) largest_ = detail::larger(largest_, given[i]);
    if (row.factor == 0) {
      for (std::int64_t i = 0; i < run.count; ++i) compare(run.first + i, given[i], T(0));
      return;
    }
    std::int64_t i = 0;
    runs_.for_each_place(run.count, [&](std::int64_t place) {
      const auto at = static_cast<std::size_t>(place);
      if (seen_[at]) compare(run.first + i, given[i], detail::times(row.factor, values_[at]));
      if (!seen_[at] || row.sorted) values_[at] = detail::times(row.factor, given[i]);
      seen_[at] = 1;
      ++i;
    });
  }
  void compare(std::int64_t key, T given, T expected) {
    if (given == expected) return;
    const double apart = detail::difference(given, expected);
    if (apart <= worst_) return;
    worst_ = apart;
    worst_key_ = key;
    given_ = given;
    expected_ = expected;
  }

  const TensorState& state_;
  layout::RowRuns runs_;
  RunExchange exchange_;
  std::vector<T> values_;
  std::vector<char> seen_;  // bytes: bits are slow to set one by one
  double largest_ = 0, worst_ = 0;
  std::int64_t worst_key_ = 0;
  T given_{}, expected_{};
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
    exec::write_together(communicator, location, header, slab_bytes(state),
                         [&](std::int64_t first, std::int64_t count, void* out) {
                           std::copy_n(elements<T>(state) + first, count, static_cast<T*>(out));
                         });
  } else if (packed) {
    layout::PackedRuns runs(state.placement->locator());
    const RunExchange exchange = exchange_of(state, header, runs);
    exec::write_together(
        communicator, location, header, slab_bytes(state), [&](std::int64_t first, std::int64_t count, void* out) {
          exchange.fetch(first, count, static_cast<std::byte*>(out), [&](const Run& run, std::byte* to) {
            std::copy_n(elements<T>(state) + runs.place(run.first), run.count, reinterpret_cast<T*>(to));
          });
        });
  } else {
    layout::RowRuns runs(state.placement->locator());
    const RunExchange exchange = exchange_of(state, header, runs);
    exec::write_together(
        communicator, location, header, slab_bytes(state), [&](std::int64_t first, std::int64_t count, void* out) {
          exchange.fetch(first, count, static_cast<std::byte*>(out), [&](const Run& run, std::byte* to) {
            unfold(runs, run, elements<T>(state), reinterpret_cast<T*>(to));
          });
        });
  }
}

template <class T>
void Tensor<T>::load(const std::string& where) {
  const TensorState& state = require_state(state_);
  const comm::Communicator& communicator = communicator_of(state);
  const exec::SharedReader file(communicator, storage::parse_location(where), slab_bytes(state));
  const storage::ArrayHeader& header = file.header();
  comm::together(communicator, [&] { check_header(state, header, where); });
  if (!(header.shape == *state.shape)) {
    FoldingLoad<T> folding(state, header);
    file.read([&](std::int64_t first, std::int64_t count, const void* in) {
      folding.put(first, count, static_cast<const T*>(in));
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
  layout::PackedRuns runs(state.placement->locator());
  const RunExchange exchange = exchange_of(state, header, runs);
  file.read([&](std::int64_t first, std::int64_t count, const void* in) {
    exchange.deliver(static_cast<const std::byte*>(in), first, count, RunExchange::To::all_copies,
                     [&](const Run& run, const std::byte* from) {
                       std::copy_n(reinterpret_cast<const T*>(from), run.count,
                                   elements<T>(state) + runs.place(run.first));
                     });
  });
}

#define RICCI_INSTANTIATE(T)                               \
  template void Tensor<T>::save(const std::string&) const; \
  template void Tensor<T>::load(const std::string&);
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci
