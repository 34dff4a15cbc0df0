#pragma once
// Elements of a tensor in the order of a file, and how they get from the ranks that read the file to those that hold
// them, and back.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "api/key_access.hpp"
#include "api/tensor_access.hpp"
#include "api/whole_tensor.hpp"
#include "exec/run_exchange.hpp"
#include "layout/packed_runs.hpp"
#include "layout/row_runs.hpp"

namespace ricci::detail {

/// Moves elements in the order of the file, of which `runs` tells where they are; at most so many at a time and rank.
template <class Runs>
exec::RunExchange exchange_of(const TensorState& state, std::int64_t most, Runs& runs) {
  return {communicator_of(state), state.placement->distribution(), element_size(state.type), most,
          [&runs, rank = state.world.rank()](std::int64_t first) {
            const auto run = runs.at(first);
            // What vanishes is nobody's, and need not travel.
            return exec::RunExchange::Stretch{run.count, run.owner < 0 ? rank : run.owner};
          }};
}

/// One rank that holds the tensor as it is in the file.
inline bool is_alone(const TensorState& state) { return state.world.size() == 1 && state.placement->is_whole(); }

/// The unpacked elements of a run that this rank holds.
template <class T>
void unfold(layout::RowRuns& runs, const exec::RunExchange::Run& run, const T* packed, T* out) {
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
/// others must agree. As this shows only at the end, owners keep a copy of their part of the tensor until then. `most`:
/// elements that a rank brings at a time.
template <class T>
class FoldingLoad {
 public:
  FoldingLoad(const TensorState& state, std::int64_t most)
      : state_(state),
        locator_(state.placement->distribution()),
        runs_(locator_),
        exchange_(exchange_of(state, most, runs_)),
        values_(state.placement->is_first_copy() ? static_cast<std::size_t>(state.placement->size()) : 0),
        seen_(values_.size(), 0) {}
  FoldingLoad(const FoldingLoad&) = delete;
  FoldingLoad& operator=(const FoldingLoad&) = delete;

  /// Collective: the elements with the keys first, first + 1, …
  void put(std::int64_t first, std::int64_t count, const T* elements) {
    exchange_.deliver(
        reinterpret_cast<const std::byte*>(elements), first, count, exec::RunExchange::To::first_copy,
        [&](const exec::RunExchange::Run& run, const std::byte* in) { keep(run, reinterpret_cast<const T*>(in)); });
  }

  /// Collective: InputError where elements contradict each other; else they become the tensor's.
  void commit() {
    const comm::Communicator& communicator = communicator_of(state_);
    largest_ = communicator.all_reduce(largest_, comm::Operation::max);
    const double worst = communicator.all_reduce(worst_, comm::Operation::max);
    const double epsilon = std::numeric_limits<typename RealOf<T>::type>::epsilon();
    comm::together(communicator, [&] {
      if (worst_ < worst || worst <= std::sqrt(epsilon) * largest_) return;
      throw contradiction(*state_.shape, worst_key_, given_, expected_);
    });
    std::copy(values_.begin(), values_.end(), elements<T>(state_));
    refresh_copies(state_);
  }

 private:
  void keep(const exec::RunExchange::Run& run, const T* given) {
    const layout::RowRun row = runs_.at(run.first);
    for (std::int64_t i = 0; i < run.count; ++i) largest_ = larger(largest_, given[i]);
    if (row.factor == 0) {
      for (std::int64_t i = 0; i < run.count; ++i) compare(run.first + i, given[i], T(0));
      return;
    }
    std::int64_t i = 0;
    runs_.for_each_place(run.count, [&](std::int64_t place) {
      const auto at = static_cast<std::size_t>(place);
      if (seen_[at]) compare(run.first + i, given[i], times(row.factor, values_[at]));
      if (!seen_[at] || row.sorted) values_[at] = times(row.factor, given[i]);
      seen_[at] = 1;
      ++i;
    });
  }
  void compare(std::int64_t key, T given, T expected) {
    if (given == expected) return;
    const double apart = difference(given, expected);
    if (apart <= worst_) return;
    worst_ = apart;
    worst_key_ = key;
    given_ = given;
    expected_ = expected;
  }

  const TensorState& state_;
  layout::Locator locator_;  // as below
  layout::RowRuns runs_;
  exec::RunExchange exchange_;
  std::vector<T> values_;
  std::vector<char> seen_;  // bytes: bits are slow to set one by one
  double largest_ = 0, worst_ = 0;
  std::int64_t worst_key_ = 0;
  T given_{}, expected_{};
};

}  // namespace ricci::detail
