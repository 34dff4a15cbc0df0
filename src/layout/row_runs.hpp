#pragma once
// The unpacked tensor, row by row along its last mode: which elements of a row lie in one tile of one rank, and where.
#include <array>
#include <cstdint>

#include "layout/locator.hpp"
#include "symmetry/keys.hpp"

namespace ricci::layout {

/// Consecutive elements of a row, all of which fold to one tile with one factor.
struct RowRun {
  std::int64_t count;
  int owner;    // the rank of copy 0 that holds them; -1 where they vanish
  int factor;   // -1, 0 or 1
  bool sorted;  // whether they are the elements that are stored, and not twins of them
};

/// Refers to the distribution of its locator. For one thread. The tensor has at least one mode.
class RowRuns {
 public:
  explicit RowRuns(const Locator& locator);

  /// The longest one that begins with this key.
  RowRun at(std::int64_t key);

  /// f(place) for the first `count` elements of the run that at() has found last; they must not vanish.
  template <class F>
  void for_each_place(std::int64_t count, F f) {
    // Along a run one index of a sorted tuple changes and passes no other. Places are ranks of such tuples, sums of
    // binomial coefficients, one for each index: so they are a polynomial, which its first values determine.
    Differences differences;
    differences[1] = differences[2] = 0;
    const int known = first_places(count, differences);
    for (int order = 1; order < known; ++order) {
      for (int i = known - 1; i >= order; --i) differences[i] -= differences[i - 1];
    }
    if (known <= 3) {  // at most a pair: the same, in registers
      std::int64_t place = differences[0], step = differences[1];
      for (std::int64_t i = 0; i < count; ++i, place += step, step += differences[2]) f(place);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      f(differences[0]);
      for (int order = 1; order < known; ++order) differences[order - 1] += differences[order];
    }
  }

 private:
  using Differences = std::array<std::int64_t, symmetry::Shape::max_order + 1>;
  int first_places(std::int64_t count, Differences& places);

  const Locator& locator_;
  const symmetry::Shape& shape_;
  const Unit& unit_;  // of the last mode
  symmetry::KeySplitter split_;
  std::array<std::int64_t, symmetry::Shape::max_order> index_{}, sorted_{};
  int before_ = 0;  // indices of the unit that are sorted before the last one
};

}  // namespace ricci::layout
