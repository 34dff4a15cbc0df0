// Filling, visiting and reducing tensors on several ranks: what a user sees depends neither on ranks nor on layouts.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;

template <class T>
Tensor<T> random_tensor(const World& world, const Form& form, Dice& dice) {
  Tensor<T> tensor(world, form.extents, form.symmetry);
  if (dice.chance(80)) tensor.redistribute(random_layout(dice, form.symmetry, form.order(), world.size()));
  return tensor;
}

TEST(TensorData, RandomNumbersDependOnNoRankAndNoLayout) {
  const World world, alone = world.split(world.rank());
  for_each_seed(world, 7000, 40, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice);
    const std::uint64_t seed = dice.bits();
    Tensor<T> reference(alone, form.extents, form.symmetry), tensor = random_tensor<T>(world, form, dice);
    reference.fill_random(seed, -2, 3);
    tensor.fill_random(seed, -2, 3);
    EXPECT_EQ(first_difference(tensor.gather(), reference.gather()), "") << tensor;
  });
}

TEST(TensorData, GatherAssignAndFill) {
  const World world;
  for_each_seed(world, 7100, 60, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice);
    const Oracle<T> first(form, dice.bits()), second(form, dice.bits());
    Tensor<T> tensor = tensor_like(world, first, dice);  // by fill(f)
    expect_holds(tensor, first);
    communicator_of(world).reset_traffic();
    tensor.assign_dense(second.dense());
    EXPECT_EQ(communicator_of(world).traffic().bytes, 0) << "every rank has the whole array already";
    expect_holds(tensor, second);
    tensor.fill(T(3));
    Oracle<T> constant(form);
    for (std::int64_t key = 0; key < form.full_size(); ++key) {
      if (constant.is_unique(key)) constant.set(form.index(key), T(3));
    }
    expect_holds(tensor, constant);
  });
}

TEST(TensorData, ArraysThatContradictTheSymmetryAreRefused) {
  const World world;
  Dice dice(30);
  const Form form{{4, 3, 4}, antisymmetric(0, 2)};
  const Oracle<double> oracle(form, 31);
  Tensor<double> tensor = tensor_like(world, oracle, dice);
  std::vector<double> values = Oracle<double>(form, 32).dense();
  values[static_cast<std::size_t>(form.key(Position{3, 1, 2}))] += 1;
  expect_same_input_error(world, [&] { tensor.assign_dense(values); }, {"contradict"});
  values.pop_back();
  expect_same_input_error(world, [&] { tensor.assign_dense(values); }, {"47", "48"});
  // Nobody may wait for a rank that has found its own array to be wrong.
  std::vector<double> mine = Oracle<double>(form, 32).dense();
  if (world.rank() == world.size() - 1) mine.pop_back();
  expect_same_input_error(world, [&] { tensor.assign_dense(mine); }, {"47"});
  expect_holds(tensor, oracle);
}

// Ranks share the look at an array, which must be the same on all of them; that it is not is found out on request.
TEST(TensorData, ArraysThatDifferFromRankToRankAreFoundOut) {
  World world;
  if (world.size() == 1) return;
  Options options;
  options.check_ranks = true;
  world.set_options(options);
  const Form form{{4, 3, 4}, antisymmetric(0, 2)};
  Tensor<double> tensor(world, {4, 3, 4}, antisymmetric(0, 2));
  std::vector<double> mine = Oracle<double>(form, 32).dense();
  if (world.rank() == world.size() - 1) mine[1] = 5;
  expect_same_input_error(world, [&] { tensor.assign_dense(mine); }, {"do different things", "assign_dense"});
  EXPECT_EQ(tensor.max_abs(), 0);
}

// What would be a wait for each other forever without the check.
TEST(TensorData, DifferentCallsAreFoundOut) {
  World world;
  if (world.size() == 1) return;
  Options options;
  options.check_ranks = true;
  world.set_options(options);
  const bool last = world.rank() == world.size() - 1;
  Tensor<double> a(world, {4, 3}), b(world, {4, 3});
  expect_same_input_error(world,
                          [&] {
                            const Tensor<double> odd(world, {4, last ? 5 : 3});
                          },
                          {"do different things", "4,5", "4,3"});
  expect_same_input_error(world, [&] { a[last ? "ij" : "ji"] = b[last ? "ij" : "ji"]; },
                          {"do different things", "[\"ij\"]", "[\"ji\"]"});
  expect_same_input_error(world, [&] { last ? void(a.gather()) : void(a.norm2()); }, {"gather", "reduce"});
  expect_same_input_error(world, [&] { last ? void(Tensor<double>(a)) : void(a.norm2()); }, {"copy 4,3", "reduce"});
  EXPECT_EQ(a.norm2(), 0);
}

// Infinities and NaNs have no size that others could be small beside: they agree with their like alone.
TEST(TensorData, ContradictionsAmongInfinities) {
  const World world;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Tensor<double> symmetric_pair(world, {2, 2}, symmetric(0, 1)), anti(world, {2, 2}, antisymmetric(0, 1));
  Tensor<double> dense(world, {2, 2});
  const auto refuse = [&](Tensor<double>& tensor, const std::vector<double>& values) {
    dense.assign_dense(values);
    expect_same_input_error(world, [&] { tensor.assign_dense(values); }, {"contradict"});
    expect_same_input_error(world, [&] { tensor.assign_slice({0, 0}, {2, 2}, dense); }, {"contradict"});
    EXPECT_EQ(tensor.max_abs(), 0);
  };
  refuse(symmetric_pair, {inf, 1, 2, 3});
  refuse(symmetric_pair, {0, inf, 2, 3});
  refuse(symmetric_pair, {0, inf, -inf, 3});
  refuse(symmetric_pair, {0, 2, nan, 3});
  refuse(anti, {0, 1, -1, inf});
  refuse(anti, {nan, 1, -1, 0});
  refuse(anti, {0, inf, inf, 0});
  symmetric_pair.assign_dense(std::vector<double>{0, inf, inf, nan});
  anti.assign_dense(std::vector<double>{0, inf, -inf, 0});
  EXPECT_EQ(symmetric_pair.read(Keys{2})[0], inf);
  EXPECT_EQ(anti.read(Keys{2})[0], -inf);
  Tensor<std::complex<double>> complex_pair(world, {2, 2}, antisymmetric(0, 1));
  complex_pair.write(Keys{2}, std::vector<std::complex<double>>{{inf, 3}});
  EXPECT_EQ(complex_pair.read(Keys{1})[0], std::complex<double>(-inf, -3));
  anti.assign_dense(std::vector<double>{0, nan, nan, 0});
  EXPECT_TRUE(std::isnan(anti.max_abs()));
}

// What a user's function throws is that rank's own affair: the ranks with copies do not wait for it forever.
TEST(TensorData, AFunctionThatThrowsOnOneRank) {
  const World world;
  Tensor<double> tensor(world, {4});
  tensor.redistribute(Layout::replicated(1, world.size()));
  const auto spoil = [](Index index, double& value) {
    if (index[0] == 2) throw std::runtime_error("the user's own");
    value = 7;
  };
  if (world.rank() == 0) {  // the one with the first copy
    EXPECT_THROW(tensor.for_each_local(spoil), std::runtime_error);
  } else {
    tensor.for_each_local(spoil);
  }
  EXPECT_EQ(tensor.read(Keys{0, 1, 2, 3}), (std::vector<double>{7, 7, 0, 0}));
}

TEST(TensorData, EveryUniqueElementIsVisitedOnce) {
  const World world;
  const comm::Communicator& communicator = communicator_of(world);
  for_each_seed(world, 7200, 60, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice);
    Oracle<T> oracle(form, dice.bits());
    Tensor<T> tensor = tensor_like(world, oracle, dice);
    std::vector<std::int64_t> visits(static_cast<std::size_t>(form.full_size()), 0), expected;
    bool right = true;
    std::as_const(tensor).for_each_local([&](Index index, const T& value) {
      ++visits[static_cast<std::size_t>(form.key(index))];
      right = right && value == oracle.at(Position(index.begin(), index.end()));
    });
    EXPECT_TRUE(right);
    communicator.all_reduce(std::span(visits), comm::Operation::sum);
    for (std::int64_t key = 0; key < form.full_size(); ++key) expected.push_back(oracle.is_unique(key) ? 1 : 0);
    EXPECT_EQ(visits, expected) << tensor;
    EXPECT_EQ(std::accumulate(expected.begin(), expected.end(), std::int64_t{0}), tensor.stored_size());
    EXPECT_EQ(form.full_size(), tensor.full_size());
    // What is changed on the way is changed for all copies.
    tensor.for_each_local([](Index, T& value) { value = value + T(1); });
    for (std::int64_t key = 0; key < form.full_size(); ++key) {
      const Position index = form.index(key);
      if (oracle.is_unique(key)) oracle.set(index, oracle.at(index) + T(1));
    }
    expect_holds(tensor, oracle);
  });
}

TEST(TensorData, TransformsKeepCopiesAlike) {
  const World world;
  for_each_seed(world, 7300, 60, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice);
    Oracle<T> oracle(form, dice.bits());
    Tensor<T> tensor = tensor_like(world, oracle, dice);
    tensor.transform([](T value) { return value * value + T(1); });
    tensor.transform([](T& value) { value = value - T(3); });
    tensor.transform([&](Index index, T value) { return value + static_cast<T>(form.key(index) % 5); });
    Oracle<T> expected(form);
    for (std::int64_t key = 0; key < form.full_size(); ++key) {
      const Position index = form.index(key);
      const T value = oracle.at(index);
      if (oracle.is_unique(key)) expected.set(index, value * value - T(2) + static_cast<T>(key % 5));
    }
    expect_holds(tensor, expected);
  });
}

TEST(TensorData, MapsTensorsOfAnyLayouts) {
  const World world;
  for_each_seed(world, 7400, 40, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice);
    const Oracle<T> a(form, dice.bits()), b(form, dice.bits());
    const Tensor<T> x = tensor_like(world, a, dice), y = tensor_like(world, b, dice);
    Tensor<T> z = random_tensor<T>(world, form, dice), w = x;
    const auto f = [](T p, T q) { return T(2) * p + q * q; };
    Oracle<T> expected(form);
    for (std::int64_t key = 0; key < form.full_size(); ++key) {
      const Position index = form.index(key);
      if (expected.is_unique(key)) expected.set(index, f(a.at(index), b.at(index)));
    }
    z.map(x, y, f);
    expect_holds(z, expected);
    w.map(w, y, f);  // an operand may be the result
    expect_holds(w, expected);
    expect_holds(ricci::map(x, y, f), expected);
    expect_holds(x, a);
    expect_holds(y, b);
  });
}

/// How many ranks hold each element.
std::int64_t copies_in(const Layout& layout) {
  std::int64_t copies = layout.grid().size();
  for (const auto& dims : layout.mapping()) {
    for (int dim : dims) copies /= layout.grid().extents()[static_cast<std::size_t>(dim)];
  }
  return copies;
}

TEST(TensorData, EachOtherCopyIsSentOnce) {
  const World world;
  const comm::Communicator& communicator = communicator_of(world);
  for_each_seed(world, 7350, 40, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice);
    Tensor<T> tensor = random_tensor<T>(world, form, dice);
    if (dice.chance(30)) tensor.redistribute(Layout::replicated(form.order(), world.size()));
    communicator.reset_traffic();
    const Oracle<T> oracle(form, dice.bits());
    tensor.fill([&](Index index) { return oracle.at(Position(index.begin(), index.end())); });
    const std::int64_t sent = communicator.all_reduce(communicator.traffic().bytes, comm::Operation::sum);
    EXPECT_EQ(sent, (copies_in(tensor.layout()) - 1) * tensor.stored_size() * static_cast<std::int64_t>(sizeof(T)));
    expect_holds(tensor, oracle);
  });
}

/// The same number on every rank, and the right one.
template <class T>
void expect_number(const World& world, T actual, T expected) {
  EXPECT_EQ(actual, expected);
  EXPECT_TRUE(communicator_of(world).consistent(std::as_bytes(std::span(&actual, 1))));
}

TEST(TensorData, NormsAndSums) {
  const World world;
  for_each_seed(world, 7500, 60, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    using Real = typename Tensor<T>::Real;
    const Form form = random_form(dice);
    const Oracle<T> a(form, dice.bits()), b(form, dice.bits()), c(Form{form.extents, {}}, dice.bits());
    const Tensor<T> x = tensor_like(world, a, dice), y = tensor_like(world, b, dice), z = tensor_like(world, c, dice);
    std::complex<double> sum = 0, product = 0, mixed = 0;
    double squares = 0, largest = 0;
    const std::vector<T> left = a.dense(), right = b.dense(), plain = c.dense();
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::complex<double> value(left[i]);
      sum += value;
      squares += std::norm(value);
      product += value * std::complex<double>(right[i]);
      mixed += value * std::complex<double>(plain[i]);
      largest = std::max(largest, static_cast<double>(std::abs(left[i])));
    }
    const auto as_type = [](std::complex<double> value) -> T {
      if constexpr (std::is_same_v<T, Real>) {
        return static_cast<T>(value.real());
      } else {
        return T(value);
      }
    };
    SCOPED_TRACE(testing::PrintToString(form));
    expect_number(world, x.norm2(), static_cast<Real>(std::sqrt(squares)));
    expect_number(world, x.sum(), as_type(sum));
    expect_number(world, x.max_abs(), static_cast<Real>(largest));
    expect_number(world, dot(x, y), as_type(product));
    expect_number(world, Tensor<T>::dot(x, x), as_type([&] {
                    std::complex<double> own = 0;
                    for (T value : left) own += std::complex<double>(value) * std::complex<double>(value);
                    return own;
                  }()));
    // Of different symmetry: a contraction, which weights repeated indices by fractions.
    EXPECT_LE(std::abs(dot(x, z) - as_type(mixed)), 1e-6 * (1 + std::abs(mixed)) * static_cast<double>(left.size()));
  });
}

// One bad element anywhere must show on every rank, whatever comes after it.
TEST(TensorData, NotANumberShowsEverywhere) {
  const World world;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Dice dice(33);
  const Form form{{4, 3, 4}, symmetric(0, 2)};
  const Oracle<double> oracle(form, 34);
  for (int i = 0; i < 24; ++i) {
    Tensor<double> tensor = tensor_like(world, oracle, dice);
    const Keys key{dice.between(0, 47)};
    const int giver = dice.between(0, world.size() - 1);
    const auto give = [&](double value) {
      if (world.rank() == giver) {
        tensor.write(key, std::vector<double>{value});
      } else {
        tensor.write({}, {});
      }
    };
    give(-inf);
    EXPECT_EQ(tensor.max_abs(), inf);
    EXPECT_EQ(tensor.norm2(), inf);
    give(nan);
    EXPECT_TRUE(std::isnan(tensor.max_abs())) << tensor << ", key " << key[0];
    EXPECT_TRUE(std::isnan(tensor.norm2()));
    EXPECT_TRUE(std::isnan(tensor.sum()));
    EXPECT_TRUE(std::isnan(dot(tensor, tensor)));
    EXPECT_TRUE(std::isnan(tensor.read(key)[0]));
  }
}

TEST(TensorData, ShapesMustAgree) {
  const World world;
  Tensor<double> x(world, {4, 4}, symmetric(0, 1)), y(world, {4, 4}), z(world, {4, 3});
  const auto first = [](double p, double) { return p; };
  expect_same_input_error(world, [&] { x.map(x, y, first); }, {"symmetry"});
  expect_same_input_error(world, [&] { y.map(y, z, first); }, {"4,3", "4,4"});
  expect_same_input_error(world, [&] { dot(y, z); }, {"4,3", "4,4"});
}

}  // namespace
}  // namespace ricci_test
