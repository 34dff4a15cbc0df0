// Slices and subsets, against plain loops over the unpacked arrays.
#include <gtest/gtest.h>

#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;
using Lists = std::vector<std::vector<std::int64_t>>;

struct Box {
  Position lo, hi;
  Lists lists() const {
    Lists lists(lo.size());
    for (std::size_t mode = 0; mode < lo.size(); ++mode) {
      for (std::int64_t i = lo[mode]; i < hi[mode]; ++i) lists[mode].push_back(i);
    }
    return lists;
  }
};

/// Half of the time the modes of a group are cut alike, so that it survives.
Box random_box(Dice& dice, const Form& form) {
  Box box;
  for (std::int64_t extent : form.extents) {
    const int x = dice.between(0, static_cast<int>(extent)), y = dice.between(0, static_cast<int>(extent));
    box.lo.push_back(std::min(x, y));
    box.hi.push_back(std::max(x, y));
  }
  for (const SymmetryGroup& group : form.symmetry.groups()) {
    if (dice.chance(50)) continue;
    for (int mode : group.modes) {
      box.lo[static_cast<std::size_t>(mode)] = box.lo[static_cast<std::size_t>(group.modes[0])];
      box.hi[static_cast<std::size_t>(mode)] = box.hi[static_cast<std::size_t>(group.modes[0])];
    }
  }
  return box;
}

/// Permutations of some positions, now and then with some of them twice.
Lists random_lists(Dice& dice, const Form& form) {
  Lists lists;
  for (std::int64_t extent : form.extents) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(extent));
    std::iota(all.begin(), all.end(), 0);
    if (extent > 0 && dice.chance(20)) all.push_back(dice.pick(all));
    dice.shuffle(all);
    all.resize(static_cast<std::size_t>(dice.between(0, static_cast<int>(all.size()))));
    lists.push_back(std::move(all));
  }
  for (const SymmetryGroup& group : form.symmetry.groups()) {
    if (dice.chance(50)) continue;
    for (int mode : group.modes)
      lists[static_cast<std::size_t>(mode)] = lists[static_cast<std::size_t>(group.modes[0])];
  }
  return lists;
}

/// The part's form: a group survives where all of its modes have the same list.
Form form_of_part(const Form& form, const Lists& lists) {
  Form part;
  for (const auto& list : lists) part.extents.push_back(static_cast<std::int64_t>(list.size()));
  for (const SymmetryGroup& group : form.symmetry.groups()) {
    bool alike = true;
    for (int mode : group.modes) {
      alike = alike && lists[static_cast<std::size_t>(mode)] == lists[static_cast<std::size_t>(group.modes[0])];
    }
    if (alike) part.symmetry = part.symmetry * Symmetry(group.kind, group.modes);
  }
  return part;
}

Position in_whole(const Lists& lists, const Position& at) {
  Position index;
  for (std::size_t mode = 0; mode < lists.size(); ++mode)
    index.push_back(lists[mode][static_cast<std::size_t>(at[mode])]);
  return index;
}

/// The elements of a part as a tensor of the given form.
template <class T>
Oracle<T> taken(const Oracle<T>& whole, const Lists& lists, const Form& part) {
  Oracle<T> result(part);
  for (std::int64_t key = 0; key < part.full_size(); ++key) {
    const Position at = part.index(key);
    result.set(at, whole.at(in_whole(lists, at)));
  }
  return result;
}

template <class T>
void put(Oracle<T>& whole, const Lists& lists, const Oracle<T>& part) {
  for (std::int64_t key = 0; key < part.form().full_size(); ++key) {
    const Position at = part.form().index(key);
    whole.set(in_whole(lists, at), part.at(at));
  }
}

/// `take` and `assign` are slice and assign_slice, or subset and assign_subset; `lists` says the same to the oracle.
template <class T, class Take, class Assign>
void take_and_put(Dice& dice, const World& world, const Form& form, const Lists& lists, Take take, Assign assign) {
  Oracle<T> whole(form, dice.bits());
  const Oracle<T> other(form, dice.bits());  // what is put in comes from here, so that it agrees with the symmetry
  Tensor<T> tensor = tensor_like(world, whole, dice);
  const Form part = form_of_part(form, lists), dense{part.extents, {}};
  std::ostringstream what;
  what << form << "; " << tensor.layout() << "; part " << part;
  SCOPED_TRACE(what.str());

  const Tensor<T> piece = take(tensor);
  EXPECT_EQ(piece.extents(), part.extents);
  EXPECT_EQ(piece.symmetry(), part.symmetry);
  expect_holds(piece, taken(whole, lists, part));
  expect_holds(tensor, whole);

  for (const Form& source_form : {part, dense}) {
    const Oracle<T> source = taken(other, lists, source_form);
    put(whole, lists, source);
    const Tensor<T> source_tensor = tensor_like(world, source, dice);
    assign(tensor, source_tensor);
    expect_holds(tensor, whole);
    expect_holds(source_tensor, source);
  }
}

TEST(TensorBox, Slices) {
  const World world;
  for_each_seed(world, 4000, 60, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice, 6);
    const Box box = random_box(dice, form);
    take_and_put<T>(
        dice, world, form, box.lists(), [&](const Tensor<T>& tensor) { return tensor.slice(box.lo, box.hi); },
        [&](Tensor<T>& tensor, const Tensor<T>& part) { tensor.assign_slice(box.lo, box.hi, part); });
  });
}

TEST(TensorBox, Subsets) {
  const World world;
  for_each_seed(world, 5000, 60, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    const Form form = random_form(dice, 6);
    const Lists lists = random_lists(dice, form);
    take_and_put<T>(
        dice, world, form, lists, [&](const Tensor<T>& tensor) { return tensor.subset(lists); },
        [&](Tensor<T>& tensor, const Tensor<T>& part) { tensor.assign_subset(lists, part); });
  });
}

// Without symmetry nothing has to agree: of positions named twice the last one stands.
TEST(TensorBox, TheLastOfEqualPositionsStands) {
  const World world;
  Dice dice(20);
  const Form form{{4, 5}, {}}, part{{3, 6}, {}};
  const Lists lists{{2, 0, 2}, {4, 1, 4, 4, 0, 1}};
  Oracle<double> whole(form, 21);
  const Oracle<double> source(part, 22);
  for (int i = 0; i < 5; ++i) {
    Tensor<double> tensor = tensor_like(world, whole, dice);
    tensor.assign_subset(lists, tensor_like(world, source, dice));
    Oracle<double> expected = whole;
    put(expected, lists, source);  // in row-major order
    expect_holds(tensor, expected);
  }
}

// A tensor put into itself is read as it was before.
TEST(TensorBox, IntoItself) {
  const World world;
  Dice dice(23);
  const Form form{{5, 5, 3}, {}};
  const Lists turned{{4, 2, 0, 1, 3}, {1, 0, 3, 2, 4}, {2, 1, 0}};
  Oracle<double> whole(form, 24), expected = whole;
  Tensor<double> tensor = tensor_like(world, whole, dice);
  put(expected, turned, whole);
  tensor.assign_subset(turned, tensor);
  expect_holds(tensor, expected);
}

/// Puts a dense source, which is right but for one element, into a tensor with symmetry.
template <class T>
void expect_contradiction(Dice& dice, const World& world, const Form& form, const Box& box, const Position& wrong) {
  const Oracle<T> whole(form, 25), other(form, 26);
  const Lists lists = box.lists();
  Oracle<T> source = taken(other, lists, Form{form_of_part(form, lists).extents, {}});
  source.set(wrong, source.at(wrong) + T(1));
  Tensor<T> tensor = tensor_like(world, whole, dice);
  const Tensor<T> part = tensor_like(world, source, dice);
  std::ostringstream what;
  what << form << "; " << tensor.layout() << " <- " << part.layout();
  SCOPED_TRACE(what.str());
  expect_same_input_error(world, [&] { tensor.assign_slice(box.lo, box.hi, part); }, {"contradict"});
  expect_same_input_error(world, [&] { tensor.assign_subset(lists, part); }, {"contradict"});
  expect_holds(tensor, whole);
}

TEST(TensorBox, RefusesContradictions) {
  const World world;
  for_each_seed(world, 6000, 8, [&](Dice& dice, auto tag) {
    using T = decltype(tag);
    // Across the diagonal: (2,4) is given twice, and so is what lies on an antisymmetric diagonal.
    expect_contradiction<T>(dice, world, {{6, 6}, symmetric(0, 1)}, {{1, 1}, {6, 6}}, {1, 3});
    expect_contradiction<T>(dice, world, {{6, 6}, antisymmetric(0, 1)}, {{1, 1}, {6, 6}}, {3, 1});
    expect_contradiction<T>(dice, world, {{6, 6}, antisymmetric(0, 1)}, {{0, 0}, {6, 6}}, {5, 5});
    expect_contradiction<T>(dice, world, {{5, 2, 5, 5}, hollow(0, 2, 3)}, {{0, 0, 1, 0}, {5, 1, 5, 5}}, {4, 0, 0, 4});
    expect_contradiction<T>(dice, world, {{5, 5, 5}, antisymmetric(0, 1, 2)}, {{0, 0, 0}, {5, 5, 5}}, {4, 3, 2});
  });
}

TEST(TensorBox, RefusesPartsThatDoNotFit) {
  const World world;
  Dice dice(27);
  const Form form{{6, 6, 2}, symmetric(0, 1)};
  const Oracle<double> whole(form, 28);
  Tensor<double> tensor = tensor_like(world, whole, dice);
  const Tensor<double> part(world, {2, 2, 2}), flat(world, {2, 2});
  const auto refuse = [&](const std::function<void()>& action, const std::vector<std::string>& parts) {
    expect_same_input_error(world, action, parts);
  };
  refuse([&] { tensor.slice({0, 0, 1}, {6, 7, 2}); }, {"mode 1", "7", "6"});
  refuse([&] { tensor.slice({0, 3, 1}, {6, 2, 2}); }, {"mode 1", "3", "2"});
  refuse([&] { tensor.slice({0, 0}, {6, 6}); }, {"order 3"});
  refuse([&] { tensor.subset({{0, 6}, {0}, {0}}); }, {"mode 0", "6"});
  refuse([&] { tensor.assign_slice({0, 0, 0}, {2, 3, 2}, part); }, {"mode 1", "2", "3"});
  refuse([&] { tensor.assign_slice({0, 0, 0}, {2, 2, 2}, flat); }, {"order 2", "order 3"});
  refuse([&] { tensor.assign_subset({{0, 1}, {2, 3}, {0, -1}}, part); }, {"mode 2", "-1"});
  if (world.size() > 1) {
    const World again = world.split(0);
    const Tensor<double> foreign(again, {2, 2, 2});
    refuse([&] { tensor.assign_slice({0, 0, 0}, {2, 2, 2}, foreign); }, {"world"});
  }
  expect_holds(tensor, whole);
}

}  // namespace
}  // namespace ricci_test
