#pragma once
// Small random tensors and what they must hold, by plain loops that share nothing with the library. The elements are
// small integers, so that sums are exact in every type and in every order.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "api/world_state.hpp"
#include "error/expect_error.hpp"
#include "property/random_layout.hpp"

namespace ricci_test {

using Keys = std::vector<std::int64_t>;
using Position = std::vector<std::int64_t>;

inline const ricci::comm::Communicator& communicator_of(const ricci::World& world) {
  return world.state().communicator;
}

struct Form {
  ricci::Extents extents;
  ricci::Symmetry symmetry;

  int order() const { return static_cast<int>(extents.size()); }
  std::int64_t full_size() const {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
  }
  std::int64_t key(ricci::Index index) const {
    std::int64_t key = 0;
    for (std::size_t mode = 0; mode < extents.size(); ++mode) key = key * extents[mode] + index[mode];
    return key;
  }
  Position index(std::int64_t key) const {
    Position index(extents.size());
    for (std::size_t mode = extents.size(); mode-- > 0; key /= extents[mode]) index[mode] = key % extents[mode];
    return index;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Form& form) {
  return out << form.extents << ' ' << form.symmetry;
}

/// Orders 0 to 4; none, one or two groups of two or more modes, neighbours or not.
inline Form random_form(Dice& dice, int largest_extent = 7) {
  const int order = dice.between(0, 4);
  Form form;
  for (int mode = 0; mode < order; ++mode)
    form.extents.push_back(dice.between(dice.chance(10) ? 0 : 1, largest_extent));
  std::vector<int> modes(static_cast<std::size_t>(order));
  std::iota(modes.begin(), modes.end(), 0);
  dice.shuffle(modes);
  while (modes.size() >= 2 && dice.chance(75)) {
    const int size = dice.between(2, std::min(static_cast<int>(modes.size()), dice.chance(90) ? 3 : 4));
    const std::vector<int> group(modes.end() - size, modes.end());
    modes.resize(modes.size() - group.size());
    for (int mode : group)
      form.extents[static_cast<std::size_t>(mode)] = form.extents[static_cast<std::size_t>(group[0])];
    const auto kind = dice.pick(
        std::vector{ricci::SymmetryKind::symmetric, ricci::SymmetryKind::antisymmetric, ricci::SymmetryKind::hollow});
    form.symmetry = form.symmetry * ricci::Symmetry(kind, group);
  }
  return form;
}

/// The index that stands for this one, and the sign with which it does: 0 where the symmetry makes the element vanish.
struct Sorted {
  Position index;
  int sign = 1;
};

inline Sorted sorted(const Form& form, Position index) {
  Sorted result{std::move(index), 1};
  const auto at = [&](int mode) -> std::int64_t& { return result.index[static_cast<std::size_t>(mode)]; };
  for (const ricci::SymmetryGroup& group : form.symmetry.groups()) {
    for (std::size_t i = 0; i < group.modes.size(); ++i) {
      for (std::size_t j = 0; j + 1 < group.modes.size() - i; ++j) {
        const int x = group.modes[j], y = group.modes[j + 1];
        if (at(x) == at(y) && group.kind != ricci::SymmetryKind::symmetric) result.sign = 0;
        if (at(x) <= at(y)) continue;
        std::swap(at(x), at(y));
        if (group.kind == ricci::SymmetryKind::antisymmetric) result.sign = -result.sign;
      }
    }
  }
  return result;
}

/// Between -9 and 9; both parts of a complex number are.
template <class T>
T small_integer(std::uint64_t seed, std::int64_t key) {
  const std::uint64_t bits = (seed * 7919 + static_cast<std::uint64_t>(key) * 104729 + 12345) * 0x9e3779b97f4a7c15;
  const int first = static_cast<int>((bits >> 40) % 19) - 9, second = static_cast<int>((bits >> 20) % 19) - 9;
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(first);
  } else {
    return T(static_cast<typename T::value_type>(first), static_cast<typename T::value_type>(second));
  }
}

/// The tensor as it should be: its unique elements, each under the key of its sorted index.
template <class T>
class Oracle {
 public:
  explicit Oracle(Form form) : form_(std::move(form)), unique_(static_cast<std::size_t>(form_.full_size()), T(0)) {}
  Oracle(Form form, std::uint64_t seed) : Oracle(std::move(form)) {
    for (std::int64_t key = 0; key < form_.full_size(); ++key) {
      const Position index = form_.index(key);
      const Sorted place = sorted(form_, index);
      if (place.sign != 0 && place.index == index) set(index, small_integer<T>(seed, key));
    }
  }

  const Form& form() const { return form_; }
  /// Whether an element is one of those that stand for the others.
  bool is_unique(std::int64_t key) const {
    const Sorted place = sorted(form_, form_.index(key));
    return place.sign != 0 && form_.key(place.index) == key;
  }
  T at(const Position& index) const {
    const Sorted place = sorted(form_, index);
    return static_cast<T>(place.sign) * unique_[static_cast<std::size_t>(form_.key(place.index))];
  }
  void set(const Position& index, T value) {
    const Sorted place = sorted(form_, index);
    if (place.sign != 0) unique_[static_cast<std::size_t>(form_.key(place.index))] = static_cast<T>(place.sign) * value;
  }
  std::vector<T> dense() const {
    std::vector<T> values;
    for (std::int64_t key = 0; key < form_.full_size(); ++key) values.push_back(at(form_.index(key)));
    return values;
  }

 private:
  Form form_;
  std::vector<T> unique_;
};

/// A tensor that holds what an oracle holds, in a random layout.
template <class T>
ricci::Tensor<T> tensor_like(const ricci::World& world, const Oracle<T>& oracle, Dice& dice) {
  const Form& form = oracle.form();
  ricci::Tensor<T> tensor(world, form.extents, form.symmetry);
  tensor.redistribute(random_layout(dice, form.symmetry, form.order(), world.size()));
  tensor.fill([&](ricci::Index index) { return oracle.at(Position(index.begin(), index.end())); });
  return tensor;
}

/// Where two arrays differ first; nothing if they are the same.
template <class T>
std::string first_difference(const std::vector<T>& actual, const std::vector<T>& expected) {
  std::ostringstream text;
  if (actual.size() != expected.size()) text << actual.size() << " elements instead of " << expected.size();
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()) && text.str().empty(); ++i) {
    if (actual[i] != expected[i]) text << actual[i] << " instead of " << expected[i] << " at key " << i;
  }
  return text.str();
}

/// Collective. Reads everything twice: gather() takes the copies in turns, and read() asks this rank's copy.
template <class T>
void expect_holds(const ricci::Tensor<T>& tensor, const Oracle<T>& oracle) {
  const std::vector<T> expected = oracle.dense();
  Keys keys(expected.size());
  std::iota(keys.begin(), keys.end(), 0);
  EXPECT_EQ(first_difference(tensor.gather(), expected), "") << "gathered from " << tensor;
  EXPECT_EQ(first_difference(tensor.read(keys), expected), "") << "read from " << tensor;
}

/// Collective: an InputError with the same words on every rank, which name the parts.
inline void expect_same_input_error(const ricci::World& world, const std::function<void()>& action,
                                    const std::vector<std::string>& parts) {
  const std::string message = message_of<ricci::InputError>(action);
  EXPECT_TRUE(communicator_of(world).consistent(message)) << "each rank has its own message, this one: " << message;
  expect_names(message, parts);
}

/// Collective. Calls f(dice, tag) with one seed after the other and the four types in turn, until one fails.
template <class F>
void for_each_seed(const ricci::World& world, std::uint64_t first, int count, F f) {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    if (i % 4 == 0) f(dice, double());
    if (i % 4 == 1) f(dice, std::complex<double>());
    if (i % 4 == 2) f(dice, float());
    if (i % 4 == 3) f(dice, std::complex<float>());
    // One seed is enough to look at; no rank may go on alone.
    const std::int64_t failed = testing::Test::HasFailure() ? 1 : 0;
    if (communicator_of(world).all_reduce(failed, ricci::comm::Operation::max) != 0) return;
  }
}

}  // namespace ricci_test
