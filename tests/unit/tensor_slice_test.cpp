// Boxes and lists of positions, read and written.
#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "shared_world.hpp"

namespace ricci {
namespace {

using List = std::vector<std::int64_t>;
using Lists = std::vector<List>;

Tensor<double> random_tensor(Extents extents, Symmetry symmetry = {}) {
  Tensor<double> tensor(shared_world(), std::move(extents), std::move(symmetry));
  tensor.fill_random(11);
  return tensor;
}

// The positions lo, lo+1, …, hi-1.
List positions(std::int64_t lo, std::int64_t hi) {
  List list;
  for (std::int64_t i = lo; i < hi; ++i) list.push_back(i);
  return list;
}

// Matrices only: part[i][j] must be whole[rows[i]][columns[j]].
void expect_part(const Tensor<double>& part, const Tensor<double>& whole, const List& rows, const List& columns) {
  ASSERT_EQ(part.extents(), (Extents{std::ssize(rows), std::ssize(columns)}));
  const auto small = part.gather(), large = whole.gather();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto key = static_cast<std::size_t>(rows[i] * whole.extents()[1] + columns[j]);
      EXPECT_EQ(small[i * columns.size() + j], large[key]) << i << ',' << j;
    }
  }
}

TEST(TensorSlice, TakesABox) {
  const Tensor<double> a = random_tensor({4, 5});
  expect_part(a.slice({1, 2}, {3, 5}), a, positions(1, 3), positions(2, 5));
  expect_part(a.slice({0, 0}, {4, 5}), a, positions(0, 4), positions(0, 5));
  expect_part(a.slice({3, 4}, {4, 5}), a, {3}, {4});
  EXPECT_EQ(a.slice({2, 0}, {2, 5}).extents(), (Extents{0, 5}));
}

TEST(TensorSlice, GroupSurvivesWhereItsBoundsAgree) {
  for (const Symmetry& symmetry : {symmetric(0, 1), antisymmetric(0, 1), hollow(0, 1)}) {
    const Tensor<double> s = random_tensor({5, 5}, symmetry);
    const Tensor<double> same = s.slice({1, 1}, {4, 4}), other = s.slice({0, 2}, {3, 5});
    EXPECT_EQ(same.symmetry(), symmetry);
    expect_part(same, s, positions(1, 4), positions(1, 4));
    EXPECT_TRUE(other.symmetry().empty());
    expect_part(other, s, positions(0, 3), positions(2, 5));
  }
}

TEST(TensorSlice, OneGroupMaySurviveAlone) {
  const Tensor<double> t = random_tensor({4, 4, 3, 3}, antisymmetric(0, 1) * antisymmetric(2, 3));
  const Tensor<double> part = t.slice({0, 0, 0, 1}, {3, 3, 2, 3});
  EXPECT_EQ(part.symmetry(), antisymmetric(0, 1));
  EXPECT_EQ(part.extents(), (Extents{3, 3, 2, 2}));
  // part(1,2,1,0) is t(1,2,1,1), on the diagonal; part(2,1,0,0) is t(2,1,0,1).
  EXPECT_EQ(part.read(List{1 * 12 + 2 * 4 + 2})[0], 0);
  EXPECT_EQ(part.read(List{2 * 12 + 1 * 4})[0], t.read(List{2 * 36 + 1 * 9 + 1})[0]);
}

TEST(TensorSlice, AssignSliceWritesTheBoxAndNothingElse) {
  Tensor<double> a = random_tensor({4, 5});
  const Tensor<double> before = a;
  Tensor<double> box(shared_world(), {2, 3});
  box.fill(9.0);
  a.assign_slice({1, 2}, {3, 5}, box);
  const auto now = a.gather(), then = before.gather();
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const bool inside = i >= 1 && i < 3 && j >= 2;
      EXPECT_EQ(now[i * 5 + j], inside ? 9.0 : then[i * 5 + j]) << i << ',' << j;
    }
  }
}

TEST(TensorSlice, AssignSliceOfASymmetricTensor) {
  Tensor<double> n(shared_world(), {4, 4}, antisymmetric(0, 1));
  const Tensor<double> box = random_tensor({2, 2}), corner = random_tensor({2, 2}, antisymmetric(0, 1));
  n.assign_slice({2, 0}, {4, 2}, box);  // wholly below the diagonal
  expect_part(box, n, {2, 3}, {0, 1});
  EXPECT_EQ(n.read(List{0 * 4 + 2})[0], -box.read(List{0})[0]);
  n.assign_slice({0, 0}, {2, 2}, corner);
  expect_part(corner, n, {0, 1}, {0, 1});
  expect_part(box, n, {2, 3}, {0, 1});
}

TEST(TensorSlice, SliceAndAssignSliceAreInverse) {
  for (const Symmetry& symmetry : {Symmetry{}, symmetric(0, 1, 2), antisymmetric(0, 2), hollow(1, 2)}) {
    const Tensor<double> t = random_tensor({4, 4, 4}, symmetry);
    Tensor<double> copy = t;
    copy.assign_slice({0, 1, 0}, {2, 3, 4}, t.slice({0, 1, 0}, {2, 3, 4}));
    EXPECT_EQ(copy.gather(), t.gather()) << symmetry;
  }
}

TEST(TensorSubset, PicksAndPermutes) {
  const Tensor<double> a = random_tensor({4, 5});
  expect_part(a.subset({{3, 0}, {4, 1, 2}}), a, {3, 0}, {4, 1, 2});
  EXPECT_EQ(a.subset({{}, {1}}).extents(), (Extents{0, 1}));
}

TEST(TensorSubset, GroupSurvivesWhereItsListsAgree) {
  for (const Symmetry& symmetry : {symmetric(0, 1), antisymmetric(0, 1), hollow(0, 1)}) {
    const Tensor<double> s = random_tensor({5, 5}, symmetry);
    const Tensor<double> same = s.subset({{4, 1, 3}, {4, 1, 3}}), other = s.subset({{0, 2}, {2, 0}});
    EXPECT_EQ(same.symmetry(), symmetry);
    expect_part(same, s, {4, 1, 3}, {4, 1, 3});
    EXPECT_TRUE(other.symmetry().empty());
    expect_part(other, s, {0, 2}, {2, 0});
  }
}

TEST(TensorSubset, AssignSubsetIsTheInverse) {
  for (const Symmetry& symmetry : {Symmetry{}, symmetric(0, 1), antisymmetric(0, 1)}) {
    const Tensor<double> s = random_tensor({5, 5}, symmetry);
    const Lists lists = {{4, 1, 3}, {4, 1, 3}};
    Tensor<double> copy(shared_world(), {5, 5}, symmetry);
    copy.assign_subset(lists, s.subset(lists));
    expect_part(copy.subset(lists), s, lists[0], lists[1]);
    EXPECT_EQ(copy.read(List{0, 2, 10}), std::vector<double>(3)) << "what is not listed stays";
  }
}

TEST(TensorSlice, ScalarsAndOneElementBoxes) {
  Tensor<double> scalar(shared_world(), Extents{});
  scalar.fill(3.0);
  EXPECT_EQ(scalar.slice({}, {}).gather(), std::vector<double>{3.0});
  EXPECT_EQ(scalar.subset({}).gather(), std::vector<double>{3.0});
  const Tensor<double> n = random_tensor({3, 3}, antisymmetric(0, 1));
  EXPECT_EQ(n.slice({1, 1}, {2, 2}).gather(), std::vector<double>{0.0});
  EXPECT_EQ(n.slice({2, 1}, {3, 2}).gather(), n.read(List{7}));
}

}  // namespace
}  // namespace ricci
