// Elements by key: every rank brings its own list, and all lists together are one update.
#include <gtest/gtest.h>

#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;

template <class T>
struct Update {
  Keys keys;
  std::vector<T> values;
};

/// The lists of all ranks: every rank draws them all, and brings its own. Few keys, so that many come twice.
template <class T>
std::vector<Update<T>> random_updates(Dice& dice, const Form& form, int ranks) {
  std::vector<Update<T>> updates(static_cast<std::size_t>(ranks));
  for (Update<T>& update : updates) {
    const int count = dice.chance(30) || form.full_size() == 0 ? 0 : dice.between(1, 25);
    for (int i = 0; i < count; ++i) {
      update.keys.push_back(dice.between(0, static_cast<int>(form.full_size()) - 1));
      const bool vanishes = sorted(form, form.index(update.keys.back())).sign == 0;
      update.values.push_back(vanishes ? T(0) : small_integer<T>(dice.bits(), i));
    }
  }
  return updates;
}

template <class T>
void write_then_read(Dice& dice, const World& world, const Form& form) {
  Oracle<T> oracle(form, dice.bits());
  Tensor<T> tensor = tensor_like(world, oracle, dice);
  std::ostringstream what;
  what << form << "; " << tensor.layout();
  SCOPED_TRACE(what.str());
  for (const bool add : {false, true}) {
    const auto updates = random_updates<T>(dice, form, world.size());
    for (const Update<T>& update : updates) {  // lower ranks first, each list in its order
      for (std::size_t i = 0; i < update.keys.size(); ++i) {
        const Position index = form.index(update.keys[i]);
        oracle.set(index, add ? oracle.at(index) + update.values[i] : update.values[i]);
      }
    }
    const Update<T>& own = updates[static_cast<std::size_t>(world.rank())];
    add ? tensor.accumulate(own.keys, own.values) : tensor.write(own.keys, own.values);
    expect_holds(tensor, oracle);

    const Keys asked = random_updates<T>(dice, form, world.size())[static_cast<std::size_t>(world.rank())].keys;
    std::vector<T> expected;
    for (std::int64_t key : asked) expected.push_back(oracle.at(form.index(key)));
    EXPECT_EQ(first_difference(tensor.read(asked), expected), "");
  }
}

TEST(TensorKeys, ReadsWhatAnyRankWrote) {
  const World world;
  for_each_seed(world, 3000, 100,
                [&](Dice& dice, auto tag) { write_then_read<decltype(tag)>(dice, world, random_form(dice)); });
}

TEST(TensorKeys, TheHighestRankStandsAndAllAreAdded) {
  const World world;
  const int rank = world.rank(), size = world.size();
  Dice dice(7);
  const Form form{{5, 5, 3}, antisymmetric(0, 1)};
  Oracle<double> oracle(form);
  Tensor<double> tensor = tensor_like(world, oracle, dice);
  // (1,3,2) by odd ranks and, with the other sign, (3,1,2) by even ones; each rank's own last value counts.
  const Position above{1, 3, 2}, below{3, 1, 2};
  const auto given = [&](int r) { return r % 2 == 1 ? above : below; };
  const std::int64_t key = form.key(given(rank));
  tensor.write(Keys{key, key}, std::vector<double>{-100, 10.0 + rank});
  oracle.set(given(size - 1), 10.0 + size - 1);
  expect_holds(tensor, oracle);

  tensor.accumulate(Keys{key, key}, std::vector<double>{1, 2.0 * rank});
  for (int r = 0; r < size; ++r) oracle.set(given(r), oracle.at(given(r)) + 1 + 2.0 * r);
  expect_holds(tensor, oracle);
}

TEST(TensorKeys, NoKeysAtAll) {
  const World world;
  Dice dice(8);
  for (const Form& form : {Form{{4, 4}, symmetric(0, 1)}, Form{{3, 0, 2}, {}}, Form{{1, 1}, hollow(0, 1)}, Form{}}) {
    const Oracle<float> oracle(form, 9);
    Tensor<float> tensor = tensor_like(world, oracle, dice);
    tensor.write({}, {});
    tensor.accumulate({}, {});
    EXPECT_TRUE(tensor.read({}).empty());
    expect_holds(tensor, oracle);
  }
}

/// One rank gives `bad`, the others what would change the tensor: all fail alike, and nothing changes.
void expect_refused(const World& world, const Form& form, const Update<double>& bad,
                    const std::vector<std::string>& parts) {
  Dice dice(10);
  const Oracle<double> oracle(form, 11);
  Tensor<double> tensor = tensor_like(world, oracle, dice);
  Update<double> good;
  for (std::int64_t key = 0; key < form.full_size(); ++key) {
    if (!oracle.is_unique(key)) continue;
    good.keys.push_back(key);
    good.values.push_back(77);
  }
  for (const int culprit : {0, world.size() / 2, world.size() - 1}) {
    const Update<double>& own = world.rank() == culprit ? bad : good;
    std::vector<std::string> named = parts;
    if (world.size() > 1) named.push_back("rank " + std::to_string(culprit) + ": ");
    SCOPED_TRACE("by rank " + std::to_string(culprit));
    expect_same_input_error(
        world, [&] { tensor.write(own.keys, own.values); }, named);
    expect_same_input_error(
        world, [&] { tensor.accumulate(own.keys, own.values); }, named);
    expect_holds(tensor, oracle);
  }
}

TEST(TensorKeys, OneRanksBadKeysAreEveryonesError) {
  const World world;
  const Form dense{{3, 4}, {}}, anti{{4, 4, 2}, antisymmetric(0, 1)}, hollow_pair{{2, 4, 4}, hollow(1, 2)};
  expect_refused(world, dense, {{1, 12}, {1, 1}}, {"12", "11"});
  expect_refused(world, dense, {{-1, 2}, {1, 1}}, {"-1", "11"});
  expect_refused(world, dense, {{1, 2, 3}, {1, 1}}, {"3 keys", "2 values"});
  expect_refused(world, anti, {{1, 11}, {0, 5}}, {"5", "key 11", "1,1,1"});
  expect_refused(world, hollow_pair, {{15}, {5}}, {"5", "key 15", "0,3,3"});
}

TEST(TensorKeys, OneRanksBadKeysFailEveryonesRead) {
  const World world;
  Dice dice(12);
  const Form form{{5, 3, 5}, symmetric(0, 2)};
  const Oracle<std::complex<double>> oracle(form, 13);
  const auto tensor = tensor_like(world, oracle, dice);
  for (const std::int64_t bad : {std::int64_t{-3}, form.full_size()}) {
    for (const int culprit : {0, world.size() - 1}) {
      const Keys keys = world.rank() == culprit ? Keys{0, bad} : Keys{0, 1};
      expect_same_input_error(world, [&] { tensor.read(keys); }, {std::to_string(bad), "key"});
    }
  }
  expect_holds(tensor, oracle);
}

// A key of a tensor without elements is always out of range, whoever gives it.
TEST(TensorKeys, NothingToWriteTo) {
  const World world;
  Tensor<double> tensor(world, {4, 0, 3});
  const Keys keys = world.rank() == world.size() - 1 ? Keys{0} : Keys{};
  expect_same_input_error(world, [&] { tensor.read(keys); }, {"key 0", "4,0,3"});
  const std::vector<double> values(keys.size(), 1);
  expect_same_input_error(world, [&] { tensor.write(keys, values); }, {"key 0", "4,0,3"});
}

// Of several bad ranks the lowest speaks for all.
TEST(TensorKeys, TheLowestRanksMessage) {
  const World world;
  Tensor<double> tensor(world, {4});
  const Keys keys{100 + world.rank()};
  expect_same_input_error(world, [&] { tensor.read(keys); }, {"100"});
}

}  // namespace
}  // namespace ricci_test
