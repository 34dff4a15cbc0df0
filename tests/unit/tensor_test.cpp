// What a tensor is: its shape, its sizes, copying, printing, filling. Without a Runtime: one rank.
#include <sstream>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

namespace ricci {
namespace {

template <class T>
std::string printed(const T& thing) {
  std::ostringstream out;
  out << thing;
  return out.str();
}

void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(Tensor, DescribesItself) {
  const World world;
  const Symmetry pairs = antisymmetric(0, 1) * symmetric(2, 3);
  const Tensor<double> tensor(world, {4, 4, 3, 3}, pairs);
  EXPECT_EQ(tensor.order(), 4);
  EXPECT_EQ(tensor.extents(), (Extents{4, 4, 3, 3}));
  EXPECT_EQ(tensor.symmetry(), pairs);
  EXPECT_EQ(tensor.world(), world);
  EXPECT_EQ(tensor.layout().order(), 4);
  EXPECT_EQ(tensor.full_size(), 144);
}

TEST(Tensor, StoresUniqueElementsOnly) {
  const World world;
  const auto stored = [&world](Extents extents, Symmetry symmetry) {
    return Tensor<float>(world, std::move(extents), std::move(symmetry)).stored_size();
  };
  EXPECT_EQ(stored({5, 7}, {}), 35);
  EXPECT_EQ(stored({5, 5}, symmetric(0, 1)), 15);
  EXPECT_EQ(stored({5, 5}, antisymmetric(0, 1)), 10);
  EXPECT_EQ(stored({5, 5}, hollow(0, 1)), 10);
  EXPECT_EQ(stored({5, 5, 5}, symmetric(0, 1, 2)), 35);
  EXPECT_EQ(stored({5, 5, 5}, antisymmetric(0, 1, 2)), 10);
  EXPECT_EQ(stored({5, 3, 5, 3}, antisymmetric(0, 2) * symmetric(1, 3)), 60);
  EXPECT_EQ(stored({5, 2, 5, 4}, hollow(0, 2)), 80);
  EXPECT_EQ(stored({6, 6, 6, 6}, antisymmetric(std::vector<int>{3, 1, 0, 2})), 15);
  EXPECT_EQ(stored({2, 2, 2}, antisymmetric(0, 1, 2)), 0);
  EXPECT_EQ(stored({0, 0}, symmetric(0, 1)), 0);
  EXPECT_EQ(stored({1, 1}, symmetric(0, 1)), 1);
  EXPECT_EQ(stored({}, {}), 1);
}

TEST(Tensor, IsZeroWhenMade) {
  const Tensor<std::complex<float>> tensor(World(), {3, 3}, hollow(0, 1));
  EXPECT_EQ(tensor.gather(), std::vector<std::complex<float>>(9));
}

TEST(Tensor, CopiesAreValuesAndMovesMove) {
  const World world;
  Tensor<double> a(world, {2, 2});
  a.fill(1.0);
  Tensor<double> copy = a;
  copy.fill(2.0);
  EXPECT_EQ(a.gather(), std::vector<double>(4, 1.0));
  Tensor<double> assigned;
  assigned = copy;
  copy.fill(3.0);
  EXPECT_EQ(assigned.gather(), std::vector<double>(4, 2.0));
  Tensor<double> moved = std::move(copy);
  EXPECT_EQ(moved.gather(), std::vector<double>(4, 3.0));
  assigned = std::move(moved);
  EXPECT_EQ(assigned.gather(), std::vector<double>(4, 3.0));
  assigned = *&assigned;
  EXPECT_EQ(assigned.gather(), std::vector<double>(4, 3.0));
}

TEST(Tensor, AssignmentReplacesTheShape) {
  const World world;
  Tensor<double> a(world, {2, 3});
  const Tensor<double> b(world, {4, 4}, symmetric(0, 1));
  a = b;
  EXPECT_EQ(a.extents(), b.extents());
  EXPECT_EQ(a.symmetry(), b.symmetry());
}

TEST(Tensor, PrintsTypeExtentsAndSymmetry) {
  const Tensor<double> tensor(World(), {4, 4, 10, 10}, antisymmetric(0, 1) * symmetric(2, 3));
  EXPECT_EQ(printed(tensor.extents()), "4,4,10,10");
  EXPECT_EQ(printed(tensor.symmetry()), "[0 1]- [2 3]+");
  expect_contains(printed(tensor), {"double", "4,4,10,10", "[0 1]- [2 3]+", printed(tensor.layout())});
  expect_contains(printed(Tensor<std::complex<float>>(World(), {2})), {"complex", "float"});
  EXPECT_FALSE(printed(tensor.world()).empty());
}

TEST(Tensor, FillSetsEveryUniqueElement) {
  const World world;
  Tensor<double> anti(world, {2, 2}, antisymmetric(0, 1)), plain(world, {2, 3});
  anti.fill(3.0);
  EXPECT_EQ(anti.gather(), (std::vector<double>{0, 3, -3, 0}));
  plain.fill([](Index index) { return static_cast<double>(10 * index[0] + index[1]); });
  EXPECT_EQ(plain.gather(), (std::vector<double>{0, 1, 2, 10, 11, 12}));
  anti.fill([](Index index) { return index[0] < index[1] ? 5.0 : -1000.0; });
  EXPECT_EQ(anti.gather(), (std::vector<double>{0, 5, -5, 0}));
}

template <class T>
class TensorOf : public ::testing::Test {};
using ElementTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TensorOf, ElementTypes);

TYPED_TEST(TensorOf, FillRandomDependsOnSeedAndIndex) {
  const World world;
  Tensor<TypeParam> a(world, {20, 20}), b(world, {20, 20}), c(world, {20, 20}),
      packed(world, {20, 20}, symmetric(0, 1));
  a.fill_random(7);
  b.fill_random(7);
  c.fill_random(8);
  packed.fill_random(7);
  EXPECT_EQ(a.gather(), b.gather());
  EXPECT_NE(a.gather(), c.gather());
  const auto plain = a.gather(), unpacked = packed.gather();
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = i; j < 20; ++j) EXPECT_EQ(unpacked[i * 20 + j], plain[i * 20 + j]) << i << ',' << j;
  }
}

TYPED_TEST(TensorOf, FillRandomKeepsToItsRange) {
  using Real = typename Tensor<TypeParam>::Real;
  Tensor<TypeParam> tensor(World(), {50, 100});
  const auto expect_range = [&tensor](Real lo, Real hi) {
    Real least = hi, greatest = lo, sum = 0;
    for (const TypeParam& value : tensor.gather()) {
      for (const Real part : {std::real(value), std::imag(value)}) {
        if (part == 0 && std::is_floating_point_v<TypeParam>) continue;
        least = std::min(least, part);
        greatest = std::max(greatest, part);
      }
      sum += std::real(value);
    }
    const Real width = hi - lo;
    EXPECT_GE(least, lo);
    EXPECT_LT(greatest, hi);
    EXPECT_LT(least, lo + width / 100);
    EXPECT_GT(greatest, hi - width / 100);
    EXPECT_NEAR(sum / 5000, (lo + hi) / 2, width / 20);
  };
  tensor.fill_random(3);
  expect_range(-1, 1);
  tensor.fill_random(3, 2, 6);
  expect_range(2, 6);
}

}  // namespace
}  // namespace ricci
