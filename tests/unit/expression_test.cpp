// The notation: expressions as values, labels in both forms, scalars, extreme extents and orders.
#include <sstream>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

#include "shared_world.hpp"

namespace ricci {
namespace {

using Values = std::vector<double>;
using Complex = std::complex<double>;

Tensor<double> matrix(std::int64_t rows, std::int64_t columns, const Values& values) {
  Tensor<double> tensor(shared_world(), {rows, columns});
  tensor.assign_dense(values);
  return tensor;
}

const Values one_to_four = {1, 2, 3, 4};

TEST(Expression, IsBuiltAtRunTime) {
  const Tensor<double> a = matrix(2, 2, one_to_four), b = a, c = a;
  Tensor<double> d(shared_world(), {2, 2});
  Expression e = 2.0 * a["ij"];
  e = e * b["jk"];
  e = e + c["ik"];
  d["ik"] = e;
  EXPECT_EQ(d.gather(), (Values{15, 22, 33, 48}));
  EXPECT_EQ(e.terms().size(), 2U);
  Expression empty;
  EXPECT_TRUE(empty.terms().empty());
  empty += c["ik"];
  empty -= 3.0 * c["ki"];
  empty *= 2.0;
  d["ik"] = empty;
  EXPECT_EQ(d.gather(), (Values{-4, -14, -6, -16}));
}

TEST(Expression, ReadsTheDataWhenItIsUsed) {
  Tensor<double> a = matrix(2, 2, one_to_four), b(shared_world(), {2, 2});
  const Expression e = a["ij"] + a["ji"];
  a.fill(1.0);
  b["ij"] = e;
  EXPECT_EQ(b.gather(), Values(4, 2.0));
}

TEST(Expression, MultipliesOutParenthesesAndSigns) {
  const Tensor<double> a = matrix(2, 2, one_to_four);
  Tensor<double> b(shared_world(), {2, 2});
  b["ij"] = -(a["ij"] - 2.0 * a["ji"]) * 3.0;
  EXPECT_EQ(b.gather(), (Values{3, 12, 3, 12}));
  b["ij"] += +a["ij"] / 2.0;
  EXPECT_EQ(b.gather(), (Values{3.5, 13, 4.5, 14}));
  b["ij"] -= (a["ik"] + a["ki"]) * a["kj"];
  EXPECT_EQ(b.gather(), (Values{3.5 - 17, 13 - 24, 4.5 - 29, 14 - 42}));
}

TEST(Expression, CommaLabelsAreNames) {
  const Tensor<double> a = matrix(2, 2, one_to_four);
  Tensor<double> b(shared_world(), {2, 2}), v(shared_world(), {2});
  b["left,right"] = a["left,mid"] * a["right,mid"];
  EXPECT_EQ(b.gather(), (Values{5, 11, 11, 25}));
  b["i,j"] = a["ji"];
  EXPECT_EQ(b.gather(), (Values{1, 3, 2, 4}));
  b["i1,i2"] = a["i2,i1"];
  EXPECT_EQ(b.gather(), (Values{1, 3, 2, 4}));
  v["i"] = a["i,i10"];
  EXPECT_EQ(v.gather(), (Values{3, 7}));
}

TEST(Expression, AnyStringViewNamesLabels) {
  const Tensor<double> a = matrix(2, 2, one_to_four);
  Tensor<double> b(shared_world(), {2, 2});
  const std::string labels = "xyz";
  b[std::string_view(labels).substr(0, 2)] = a[labels.substr(0, 2)];
  EXPECT_EQ(b.gather(), one_to_four);
}

TEST(Expression, ValueIsReal) {
  const Tensor<double> a = matrix(2, 2, one_to_four);
  const double e = (0.5 * a["ij"] * a["ij"]).value();
  EXPECT_EQ(e, 15.0);
  EXPECT_EQ(static_cast<double>((a["ii"] + 1.0).value()), 6.0);
  EXPECT_EQ(static_cast<double>(Expression(a["ij"]).value()), 10.0) << "sums over every label";
}

TEST(Expression, ValueIsComplex) {
  Tensor<Complex> z(shared_world(), {2});
  z.assign_dense(std::vector<Complex>{{1, 2}, {3, -1}});
  const Complex plain = (z["i"] * z["i"]).value(), hermitian = (conj(z["i"]) * z["i"]).value();
  EXPECT_EQ(plain, Complex(1 - 4 + 9 - 1, 4 - 6));
  EXPECT_EQ(hermitian, Complex(15, 0));
  EXPECT_EQ((Complex(0, 1) * z["i"]).value().imag(), 4.0);
  EXPECT_THROW(static_cast<double>((z["i"] * z["i"]).value()), InputError);
  EXPECT_EQ(Complex(conj(Complex(0, 2) * z["i"]).value()), std::conj(Complex(0, 2) * Complex(4, 1)));
}

TEST(Expression, NumbersAreBroadcast) {
  Tensor<double> a(shared_world(), {2, 2}), s(shared_world(), {2, 2}, symmetric(0, 1)),
      scalar(shared_world(), Extents{});
  a["ij"] = 3.0;
  EXPECT_EQ(a.gather(), Values(4, 3.0));
  s["ij"] = 3.0;
  EXPECT_EQ(s.gather(), Values(4, 3.0)) << "a term without i and j has the symmetry already";
  scalar[""] = 2.0 * a["ij"] * a["ij"];
  EXPECT_EQ(scalar.gather(), Values{72});
  a["ij"] = scalar[""];
  EXPECT_EQ(a.gather(), Values(4, 72.0));
}

TEST(Expression, PrintsAsWritten) {
  const Tensor<double> a = matrix(2, 2, one_to_four);
  Tensor<double> b(shared_world(), {2, 2});
  std::ostringstream out;
  out << b["ij"].subtract(0.5 * a["ik"] * a["kj"]);
  for (const char* part : {"ij", "-=", "0.5", "ik", "kj"})
    EXPECT_NE(out.str().find(part), std::string::npos) << out.str();
}

}  // namespace
}  // namespace ricci
