// Tensors smaller than the world, messages larger than a chunk, several worlds, copies and moves.
#include <optional>

#include <gtest/gtest.h>

#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;

/// Everything once: fill, redistribute, keys, a slice, a map and the sums.
template <class T>
void use(const World& world, const Form& form, Dice& dice) {
  std::ostringstream what;
  what << form << " on " << world.size() << " ranks";
  SCOPED_TRACE(what.str());
  Oracle<T> oracle(form, dice.bits());
  Tensor<T> tensor = tensor_like(world, oracle, dice);
  expect_holds(tensor, oracle);
  tensor.redistribute(random_layout(dice, form.symmetry, form.order(), world.size()));
  expect_holds(tensor, oracle);

  // Each rank writes its share of all elements.
  const Oracle<T> other(form, dice.bits());
  Keys keys;
  std::vector<T> values;
  for (std::int64_t key = world.rank(); key < form.full_size(); key += world.size()) {
    keys.push_back(key);
    values.push_back(other.at(form.index(key)));
  }
  tensor.write(keys, values);
  expect_holds(tensor, other);

  const Position lo(form.extents.size(), 0), hi = form.extents;
  const Tensor<T> all = tensor.slice(lo, hi);
  EXPECT_EQ(all.symmetry(), form.symmetry);
  expect_holds(all, other);
  tensor.fill(T(0));
  tensor.assign_slice(lo, hi, all);
  expect_holds(tensor, other);

  tensor.map(tensor, all, [](T p, T q) { return p - q; });
  EXPECT_EQ(tensor.max_abs(), 0);
  T sum(0);
  for (T value : other.dense()) sum += value;
  EXPECT_EQ(all.sum(), sum);
}

TEST(TensorCorner, FewerElementsThanRanks) {
  const World world;
  Dice dice(40);
  std::vector<Form> forms = {{{}, {}}};
  for (const std::int64_t extent : {0, 1, 2, 3}) {
    forms.push_back({{extent}, {}});
    forms.push_back({{extent, 1, extent}, {}});
    for (const SymmetryKind kind : {SymmetryKind::symmetric, SymmetryKind::antisymmetric, SymmetryKind::hollow}) {
      forms.push_back({{extent, extent}, Symmetry(kind, {0, 1})});
      forms.push_back({{extent, 2, extent, extent}, Symmetry(kind, {0, 2, 3})});
    }
  }
  for (const Form& form : forms) {
    use<double>(world, form, dice);
    use<std::complex<float>>(world, form, dice);
  }
}

TEST(TensorCorner, SmallChunks) {
  for (const std::int64_t limit : {1024, 100}) {
    const World world;
    communicator_of(world).set_chunk_limit(limit);
    SCOPED_TRACE("chunk limit " + std::to_string(limit));
    for_each_seed(world, 8000, 20, [&](Dice& dice, auto tag) { use<decltype(tag)>(world, random_form(dice), dice); });
  }
}

// A thousand elements in tiles of many sizes, with chunks that end within elements.
TEST(TensorCorner, SmallChunksOfLargerTensors) {
  const World world;
  communicator_of(world).set_chunk_limit(100);
  Dice dice(41);
  use<std::complex<double>>(world, {{12, 12, 9}, antisymmetric(0, 1)}, dice);
  use<float>(world, {{30, 40}, {}}, dice);
}

// The odd ranks work together while each even one is by itself, and nobody waits for the others.
TEST(TensorCorner, PartsOfTheWorld) {
  const World world;
  const World part = world.split(world.rank() % 2 == 1 ? 0 : 1 + world.rank());
  Dice dice(42 + static_cast<std::uint64_t>(world.rank() % 2));
  const int rounds = world.rank() % 2 == 1 ? 6 : 1 + world.rank();
  for (int i = 0; i < rounds; ++i) {
    use<double>(part, random_form(dice), dice);
    Tensor<double> a(part, {4, 4}), b(part, {4, 4});
    a.fill_random(1);
    b["ij"] = a["ji"] + a["ij"];
    EXPECT_EQ(b.gather()[1], b.gather()[4]);
  }
}

TEST(TensorCorner, OnlyOnePartHasATensor) {
  const World world;
  const World part = world.split(3 * world.rank() < world.size() ? 0 : 1);
  Dice dice(43);
  if (3 * world.rank() < world.size()) use<double>(part, {{5, 3, 5}, hollow(0, 2)}, dice);
  const Tensor<double> everyones(world, {3});
  EXPECT_EQ(everyones.max_abs(), 0);
}

TEST(TensorCorner, TwoWorldsAtOnce) {
  const World world, again,
      turned(std::make_shared<detail::WorldState>(communicator_of(world).split(0, -world.rank())));
  Dice dice(44);
  const Form form{{5, 4, 5}, antisymmetric(0, 2)};
  const Oracle<double> first(form, 1), second(form, 2), third(form, 3);
  Tensor<double> x = tensor_like(world, first, dice), y = tensor_like(again, second, dice);
  Tensor<double> z = tensor_like(turned, third, dice);
  for (int i = 0; i < 4; ++i) {
    x.redistribute(random_layout(dice, form.symmetry, 3, world.size()));
    z.redistribute(random_layout(dice, form.symmetry, 3, world.size()));
    y.redistribute(random_layout(dice, form.symmetry, 3, world.size()));
    expect_holds(y, second);
    expect_holds(z, third);
    expect_holds(x, first);
  }
  // A tensor moves between worlds as an array; the ranks of each may be numbered as they like.
  z.assign_dense(x.gather());
  expect_holds(z, first);
}

// Destroying is no collective call: each rank may do it in its own order.
TEST(TensorCorner, TensorsAndWorldsEndInAnyOrder) {
  const World world;
  for (int round = 0; round < 4; ++round) {
    std::optional<Tensor<double>> x(std::in_place, world.split(0), Extents{4, 4});
    std::optional<Tensor<double>> y(std::in_place, world.split(0), Extents{5});
    x->fill_random(1);
    y->fill_random(2);
    world.rank() % 2 == 0 ? x.reset() : y.reset();
    const Tensor<double> z(world, {3, 3});
    EXPECT_EQ(z.sum(), 0);
  }
}

TEST(TensorCorner, CopiesAndMovesKeepTheirLayout) {
  const World world;
  Dice dice(45);
  const Form form{{6, 6, 3}, symmetric(0, 1)};
  const Oracle<float> first(form, 4), second(form, 5);
  Tensor<float> x = tensor_like(world, first, dice);
  const Layout layout = x.layout();
  Tensor<float> copy = x;
  x.assign_dense(second.dense());
  EXPECT_EQ(copy.layout(), layout);
  expect_holds(copy, first);
  expect_holds(x, second);
  Tensor<float> moved = std::move(copy);
  EXPECT_EQ(moved.layout(), layout);
  expect_holds(moved, first);
  expect_same_input_error(world, [&] { copy.gather(); }, {"empty"});
  Tensor<float> other(world, {2});
  other = x;
  x.redistribute(random_layout(dice, form.symmetry, 3, world.size()));
  EXPECT_EQ(other.layout(), layout);
  expect_holds(other, second);
  other = std::move(moved);
  expect_holds(other, first);
  x = x;
  expect_holds(x, second);
}

// Worlds of one rank are all alike, whatever they were split from.
TEST(TensorCorner, SingleRanksInOneCall) {
  const World world, first = world.split(world.rank()), second = world.split(world.rank());
  Tensor<double> x(first, {4, 4}), y(second, {4, 4});
  y.fill_random(1);
  x["ij"] = y["ij"];
  EXPECT_EQ(x.gather(), y.gather());
  EXPECT_EQ(dot(x, y), dot(y, y));
}

// Tensors of two worlds of several ranks have no common ranks to speak over: refused before anything moves.
TEST(TensorCorner, TwoWorldsInOneCall) {
  const World world;
  if (world.size() == 1) return;  // see above
  const World again = world.split(0), alone = world.split(world.rank()), half = world.split(world.rank() % 2);
  Dice dice(46);
  const Form form{{4, 4}, {}};
  const Oracle<double> oracle(form, 6);
  Tensor<double> x = tensor_like(world, oracle, dice);
  for (const World& theirs : {again, alone, half}) {
    Tensor<double> y(theirs, {4, 4});
    y.fill_random(1);
    const auto refuse = [&](const std::function<void()>& action) { expect_same_input_error(world, action, {"world"}); };
    refuse([&] { x["ij"] = y["ij"]; });
    refuse([&] { x["ij"] += x["ik"] * y["kj"]; });
    refuse([&] { (void)(x["ij"] * y["ij"]).value(); });
    refuse([&] { x.assign_slice({0, 0}, {4, 4}, y); });
    refuse([&] { x.map(x, y, [](double p, double) { return p; }); });
    refuse([&] { (void)dot(x, y); });
    refuse([&] { (void)ricci::map(x, y, [](double p, double) { return p; }); });
  }
  expect_holds(x, oracle);
}

// Each World() is of all ranks: their tensors belong together.
TEST(TensorCorner, WorldsOfAllRanksAreOne) {
  Tensor<double> a(World(), {5, 3}), b(World(), {3, 5}), c(World(), {5, 5});
  a.fill(2.0);
  b.fill(3.0);
  c["ij"] = a["ik"] * b["kj"];
  EXPECT_EQ(c.gather(), std::vector<double>(25, 18.0));
  c.assign_slice({0, 0}, {5, 3}, a);
  EXPECT_EQ(c.sum(), 2.0 * 15 + 18.0 * 10);
}

// One rank has more of a tensor than another, but all must say alike whether a statement fits.
TEST(TensorCorner, AMemoryLimitThatOneRankWouldBreak) {
  const World world;
  const int ranks = world.size();
  Tensor<double> a(world, {1000}), c(world, {1000});
  const Layout on_one(Grid{ranks}, {{0}}, {1});  // one tile: the first rank has it all
  a.redistribute(on_one);
  c.redistribute(on_one);
  World limited = world;
  for (const std::int64_t limit : {8000, 16000, 20000, 28000, 40000}) {
    SCOPED_TRACE("limit " + std::to_string(limit));
    limited.set_options(Options{.memory_limit = limit});
    std::int64_t refused = 0;
    try {
      c["i"] = 2.0 * a["i"];
    } catch (const ResourceError&) {
      refused = 1;
    }
    EXPECT_EQ(communicator_of(world).all_reduce(refused, comm::Operation::sum), refused * ranks);
  }
}

}  // namespace
}  // namespace ricci_test
