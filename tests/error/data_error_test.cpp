// Misuse of element access: keys, arrays, boxes, lists, functions of two tensors, files.
#include "expect_error.hpp"

namespace ricci_test {
namespace {

using ricci::antisymmetric;
using ricci::hollow;
using ricci::symmetric;
using ricci::Tensor;
using Keys = std::vector<std::int64_t>;
using Values = std::vector<double>;

// The action must fail and leave the tensor as it was.
void expect_refused(Tensor<double>& tensor, const std::function<void()>& action,
                    const std::vector<std::string>& parts) {
  const Values before = tensor.gather();
  expect_input_error(action, parts);
  EXPECT_EQ(tensor.gather(), before) << "the tensor has changed";
}

TEST(KeyError, OutOfRange) {
  auto a = filled({7, 11});
  expect_refused(a, [&] { a.write(Keys{3, 1000}, Values{1, 2}); }, {"1000", "77|76"});
  expect_refused(a, [&] { a.write(Keys{3, 77}, Values{1, 2}); }, {"77"});
  expect_refused(a, [&] { a.accumulate(Keys{3, -19}, Values{1, 2}); }, {"-19", "77|76"});
  expect_refused(a, [&] { a.read(Keys{1000}); }, {"1000", "77|76"});
  auto none = filled({3, 0});
  expect_refused(none, [&] { none.read(Keys{0}); }, {"0"});
}

TEST(KeyError, KeysAndValuesDifferInNumber) {
  auto a = filled({7, 11});
  expect_refused(a, [&] { a.write(Keys(13), Values(17)); }, {"13", "17", "key", "value"});
  expect_refused(a, [&] { a.accumulate(Keys(13), Values(17)); }, {"13", "17", "key", "value"});
}

TEST(KeyError, NonzeroWhereTheSymmetryMakesZero) {
  auto n = filled({7, 7}, antisymmetric(0, 1)), h = filled({7, 7}, hollow(0, 1));
  auto t = filled({4, 4, 4}, antisymmetric(0, 1, 2));
  expect_refused(n, [&] { n.write(Keys{1, 24}, Values{5, 2.5}); }, {"24|3,3|3, 3", "2.5", "antisymmetric", "0|zero"});
  expect_refused(n, [&] { n.accumulate(Keys{1, 24}, Values{5, 2.5}); }, {"24|3,3|3, 3", "antisymmetric"});
  expect_refused(h, [&] { h.write(Keys{1, 24}, Values{5, 2.5}); }, {"24|3,3|3, 3", "2.5", "hollow", "0|zero"});
  expect_refused(t, [&] { t.write(Keys{2 * 16 + 1 * 4 + 2}, Values{1}); }, {"38|2,1,2|2, 1, 2", "antisymmetric"});
}

TEST(DenseError, WrongNumberOfElements) {
  auto a = filled({7, 11});
  expect_refused(a, [&] { a.assign_dense(Values(59)); }, {"59", "77"});
}

TEST(DenseError, ArrayContradictsTheSymmetry) {
  auto s = filled({3, 3}, symmetric(0, 1)), n = filled({3, 3}, antisymmetric(0, 1)), h = filled({3, 3}, hollow(0, 1));
  expect_refused(s,
                 [&] {
                   s.assign_dense(Values{0, 1, 0, 2, 0, 0, 0, 0, 0});
                 },
                 {"symmetric", "1", "2", "0,1|0, 1|1,0|1, 0|key"});
  expect_refused(n, [&] { n.assign_dense(Values{0, 1, 0, 1, 0, 0, 0, 0, 0}); }, {"antisymmetric"});
  expect_refused(n, [&] { n.assign_dense(Values{0, 0, 0, 0, 4.5, 0, 0, 0, 0}); }, {"antisymmetric", "4.5"});
  expect_refused(h, [&] { h.assign_dense(Values{0, 0, 0, 0, 4.5, 0, 0, 0, 0}); }, {"hollow", "4.5"});
}

TEST(SliceError, BoundsOutOfRange) {
  auto a = filled({7, 11});
  expect_refused(a, [&] { a.slice({0, 0}, {7, 23}); }, {"23", "11", "mode 1|1"});
  expect_refused(a, [&] { a.slice({-5, 0}, {7, 11}); }, {"-5", "mode 0|0"});
  expect_refused(a, [&] { a.slice({0, 9}, {7, 8}); }, {"9", "8", "mode 1|1"});
  expect_refused(a, [&] { a.slice({0}, {7, 11}); }, {"1|one", "2|two"});
  expect_refused(a, [&] { a.slice({0, 0, 0}, {1, 1, 1}); }, {"3|three", "2|two"});
}

TEST(SliceError, BoxAndTensorDiffer) {
  auto a = filled({7, 11});
  const auto box = filled({3, 5});
  expect_refused(a, [&] { a.assign_slice({0, 0}, {3, 6}, box); }, {"5", "6", "mode 1|1"});
  expect_refused(a, [&] { a.assign_slice({0, 0}, {3, 23}, box); }, {"23", "11"});
  expect_refused(a, [&] { a.assign_slice({0, 0}, {3, 5}, filled({15})); }, {"order|mode"});
}

TEST(SliceError, NonzeroOnADiagonalThatIsZero) {
  auto n = filled({4, 4}, antisymmetric(0, 1));
  Tensor<double> box(shared_world(), {2, 2});
  box.fill(1.0);
  expect_refused(n, [&] { n.assign_slice({1, 1}, {3, 3}, box); }, {"antisymmetric"});
}

TEST(SubsetError, ListsOutOfRange) {
  auto a = filled({7, 11});
  expect_refused(a, [&] { a.subset({{0, 1}, {2, 23}}); }, {"23", "11", "mode 1|1"});
  expect_refused(a, [&] { a.subset({{0, -5}, {2}}); }, {"-5", "mode 0|0"});
  expect_refused(a, [&] { a.subset({{0}}); }, {"1|one", "2|two"});
  expect_refused(a, [&] { a.assign_subset({{0, 1}, {2, 3}}, filled({2, 5})); }, {"5", "2", "mode 1|1"});
}

TEST(ShapeError, MapAndDotNeedOneShape) {
  auto a = filled({7, 11});
  const auto b = filled({7, 13});
  const auto plus = [](double x, double y) { return x + y; };
  expect_refused(a, [&] { a.map(a, b, plus); }, {"11", "13"});
  expect_refused(a, [&] { a.dot(b); }, {"11", "13"});
  auto square = filled({5, 5});
  const auto packed = filled({5, 5}, symmetric(0, 1));
  expect_refused(square, [&] { square.map(square, packed, plus); }, {"symmetr|[0 1]+"});
}

TEST(FileError, NamesTheFile) {
  auto a = filled({7, 11});
  expect_refused(a, [&] { a.save("tensor.txt"); }, {"tensor.txt", ".npy", "h5"});
  expect_refused(a, [&] { a.load("no_such_directory/none.npy"); }, {"no_such_directory/none.npy"});
  expect_refused(a, [&] { a.load("no_such_directory/none.h5:/x"); }, {"no_such_directory/none.h5"});
  expect_refused(a, [&] { a.save("no_such_directory/none.npy"); }, {"no_such_directory/none.npy"});
}

}  // namespace
}  // namespace ricci_test
