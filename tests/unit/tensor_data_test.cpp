// Reading and writing elements: keys, whole arrays, functions of elements, reductions.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "shared_world.hpp"

namespace ricci {
namespace {

using Keys = std::vector<std::int64_t>;
using Values = std::vector<double>;

// 1, 2, 3, … on the unique elements.
template <class T = double>
Tensor<T> counted(Extents extents, Symmetry symmetry = {}) {
  Tensor<T> tensor(shared_world(), std::move(extents), std::move(symmetry));
  int next = 0;
  tensor.fill([&next](Index) { return static_cast<T>(++next); });
  return tensor;
}

TEST(TensorData, WriteAndReadByKey) {
  Tensor<double> tensor(shared_world(), {2, 3});
  tensor.write(Keys{5, 0, 4}, Values{1, 2, 3});
  EXPECT_EQ(tensor.gather(), (Values{2, 0, 0, 0, 3, 1}));
  EXPECT_EQ(tensor.read(Keys{4, 4, 1}), (Values{3, 3, 0}));
  EXPECT_TRUE(tensor.read(Keys{}).empty());
  tensor.write(Keys{}, Values{});
}

TEST(TensorData, KeysBelowTheDiagonalFoldWithTheirSign) {
  Tensor<double> s(shared_world(), {3, 3}, symmetric(0, 1)), n(shared_world(), {3, 3}, antisymmetric(0, 1));
  s.write(Keys{3, 8}, Values{4, 5});
  EXPECT_EQ(s.gather(), (Values{0, 4, 0, 4, 0, 0, 0, 0, 5}));
  n.write(Keys{3, 5}, Values{4, 6});
  EXPECT_EQ(n.gather(), (Values{0, -4, 0, 4, 0, 6, 0, -6, 0}));
  EXPECT_EQ(n.read(Keys{1, 3, 0, 7}), (Values{-4, 4, 0, -6}));
}

TEST(TensorData, FoldsGroupsOfThree) {
  Tensor<double> n(shared_world(), {3, 3, 3}, antisymmetric(0, 1, 2));
  n.write(Keys{2 * 9 + 0 * 3 + 1}, Values{5});  // (2,0,1) is an even permutation of (0,1,2)
  EXPECT_EQ(n.read(Keys{5, 7, 11, 15, 19, 21}), (Values{5, -5, -5, 5, 5, -5}));
}

TEST(TensorData, OfDuplicateKeysTheLastStands) {
  Tensor<double> s(shared_world(), {2, 2}, antisymmetric(0, 1));
  s.write(Keys{1, 2, 1}, Values{7, 8, 9});
  EXPECT_EQ(s.read(Keys{1}), (Values{9}));
  s.write(Keys{1, 2}, Values{7, 8});
  EXPECT_EQ(s.read(Keys{1}), (Values{-8}));
}

TEST(TensorData, AccumulateAddsDuplicatesAndFolds) {
  Tensor<double> n(shared_world(), {2, 2}, antisymmetric(0, 1));
  n.write(Keys{1}, Values{1});
  n.accumulate(Keys{1, 1, 2}, Values{10, 20, 5});
  EXPECT_EQ(n.gather(), (Values{0, 26, -26, 0}));
}

TEST(TensorData, ZeroMayBeWrittenWhereTheSymmetryMakesZero) {
  Tensor<double> n(shared_world(), {2, 2}, antisymmetric(0, 1)), h(shared_world(), {2, 2}, hollow(0, 1));
  n.write(Keys{0, 3}, Values{0, 0});
  h.accumulate(Keys{0}, Values{0});
  EXPECT_EQ(h.max_abs() + n.max_abs(), 0);
}

TEST(TensorData, AssignDenseTakesWhatGatherGives) {
  for (const Symmetry& symmetry : {Symmetry{}, symmetric(0, 2), antisymmetric(0, 2), hollow(0, 2)}) {
    const Tensor<double> from = counted({3, 2, 3}, symmetry);
    Tensor<double> to(shared_world(), {3, 2, 3}, symmetry);
    to.assign_dense(from.gather());
    EXPECT_EQ(to.gather(), from.gather()) << symmetry;
  }
}

TEST(TensorData, ForEachLocalVisitsEachUniqueElementOnce) {
  Tensor<double> n(shared_world(), {4, 2, 4}, antisymmetric(0, 2));
  std::vector<Keys> seen;
  n.for_each_local([&seen](Index index, double& value) {
    EXPECT_LT(index[0], index[2]);
    seen.emplace_back(index.begin(), index.end());
    value = static_cast<double>(100 * index[0] + 10 * index[1] + index[2]);
  });
  EXPECT_EQ(std::ssize(seen), n.stored_size());
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(n.read(Keys{0 * 8 + 1 * 4 + 3, 3 * 8 + 1 * 4 + 0}), (Values{13, -13}));
  double sum = 0;
  std::as_const(n).for_each_local([&sum](Index, const double& value) { sum += value; });
  EXPECT_EQ(sum, 6 * 2 * 5 + (1 + 2 + 3) * 2 + (100 * 2 + 2 + 3) * 2 + (200 + 3) * 2);
}

TEST(TensorData, TransformTakesAnyOfThreeForms) {
  Tensor<double> s = counted({2, 2}, symmetric(0, 1));
  s.transform([](double x) { return x * x; });
  EXPECT_EQ(s.gather(), (Values{1, 4, 4, 9}));
  s.transform([](double& x) { x += 1; });
  EXPECT_EQ(s.gather(), (Values{2, 5, 5, 10}));
  s.transform([](Index index, double x) { return x + static_cast<double>(10 * index[0] + index[1]); });
  EXPECT_EQ(s.gather(), (Values{2, 6, 6, 21}));
}

TEST(TensorData, TransformKeepsZeroDiagonals) {
  Tensor<double> n(shared_world(), {2, 2}, antisymmetric(0, 1));
  n.transform([](double x) { return x + 1; });
  EXPECT_EQ(n.gather(), (Values{0, 1, -1, 0}));
}

TEST(TensorData, MapOfTwoTensors) {
  const Tensor<double> a = counted({2, 2}, symmetric(0, 1));
  Tensor<double> b = a, c(shared_world(), {2, 2}, symmetric(0, 1));
  b.fill(2.0);
  c.map(a, b, [](double x, double y) { return x / y; });
  EXPECT_EQ(c.gather(), (Values{0.5, 1, 1, 1.5}));
  c.map(c, b, [](double x, double y) { return x * y; });
  EXPECT_EQ(c.gather(), a.gather());
  EXPECT_EQ(map(a, b, [](double x, double y) { return x - y; }).gather(), (Values{-1, 0, 0, 1}));
}

TEST(TensorData, ReductionsAreOfTheUnpackedTensor) {
  for (const Symmetry& symmetry : {Symmetry{}, symmetric(0, 1, 2), antisymmetric(0, 1, 2), hollow(0, 2)}) {
    Tensor<double> a = counted({4, 4, 4}, symmetry), b(shared_world(), {4, 4, 4}, symmetry);
    b.fill_random(5);
    const Values x = a.gather(), y = b.gather();
    const double squares = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
    const double product = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    EXPECT_NEAR(a.norm2(), std::sqrt(squares), 1e-10) << symmetry;
    EXPECT_NEAR(a.sum(), std::accumulate(x.begin(), x.end(), 0.0), 1e-10) << symmetry;
    EXPECT_EQ(a.max_abs(), static_cast<double>(a.stored_size())) << symmetry;
    EXPECT_NEAR(dot(a, b), product, 1e-9) << symmetry;
    EXPECT_NEAR(a.dot(b), product, 1e-9) << symmetry;
    EXPECT_NEAR(Tensor<double>::dot(a, b), product, 1e-9) << symmetry;
  }
}

TEST(TensorData, DotTakesTensorsOfDifferentSymmetry) {
  const Tensor<double> a = counted({2, 2}), s = counted({2, 2}, symmetric(0, 1));
  EXPECT_EQ(dot(a, s), 1 * 1 + 2 * 2 + 3 * 2 + 4 * 3);
}

TEST(TensorData, ComplexReductions) {
  using Complex = std::complex<double>;
  Tensor<Complex> tensor(shared_world(), {2});
  tensor.assign_dense(std::array{Complex(3, 4), Complex(0, 1)});
  EXPECT_DOUBLE_EQ(tensor.norm2(), std::sqrt(26.0));
  EXPECT_DOUBLE_EQ(tensor.max_abs(), 5.0);
  EXPECT_EQ(tensor.sum(), Complex(3, 5));
  EXPECT_EQ(tensor.dot(tensor), Complex(-7 - 1, 24)) << "without conjugation";
}

TEST(TensorData, EmptyTensorsReduceToZero) {
  const Tensor<float> none(shared_world(), {3, 0});
  EXPECT_EQ(none.norm2(), 0);
  EXPECT_EQ(none.sum(), 0);
  EXPECT_EQ(none.max_abs(), 0);
  EXPECT_EQ(dot(none, none), 0);
  EXPECT_TRUE(none.gather().empty());
}

}  // namespace
}  // namespace ricci
