#pragma once
// Index notation as values: T["abij"] is an Indexed, a sum of products of them an Expression.
#include <complex>
#include <concepts>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricci {

namespace detail {
struct TensorState;

/// One tensor with its labels, as it stands in a product.
struct Factor {
  std::shared_ptr<TensorState> tensor;
  std::string labels;
  bool conjugate = false;
};

struct Term {
  std::complex<double> coefficient{1.0, 0.0};
  std::vector<Factor> factors;
};
}  // namespace detail

/// The value of an expression without free labels; becomes a real or a complex number as asked.
class Scalar {
 public:
  explicit Scalar(std::complex<double> value, bool is_complex) : value_(value), is_complex_(is_complex) {}
  /// InputError where the element type is complex, whatever the value: then ask for a std::complex.
  operator double() const;
  operator std::complex<double>() const { return value_; }
  operator std::complex<float>() const { return std::complex<float>(value_); }
  double real() const { return value_.real(); }
  double imag() const { return value_.imag(); }

 private:
  std::complex<double> value_;
  bool is_complex_;
};

std::ostream& operator<<(std::ostream&, const Scalar&);

/// A sum of products of indexed tensors, multiplied out. Refers to the tensors; their data are read when it is used.
class Expression {
 public:
  Expression() = default;
  Expression(double number);
  Expression(std::complex<double> number);
  Expression(std::complex<float> number) : Expression(std::complex<double>(number)) {}
  Expression(const Scalar& number) : Expression(static_cast<std::complex<double>>(number)) {}
  explicit Expression(detail::Factor factor);

  const std::vector<detail::Term>& terms() const { return terms_; }
  /// Sums over every label. Collective; the same on every rank.
  Scalar value() const;

  Expression& operator+=(const Expression& right);
  Expression& operator-=(const Expression& right);
  Expression& operator*=(const Expression& right);

  friend Expression operator+(Expression left, const Expression& right);
  friend Expression operator*(Expression left, const Expression& right);
  friend Expression operator-(Expression operand);
  friend Expression conj(Expression operand);

 private:
  std::vector<detail::Term> terms_;
};

// Declared here as well, so that they are found where both sides are Indexed or numbers.
Expression operator+(Expression left, const Expression& right);
Expression operator-(Expression left, const Expression& right);
Expression operator*(Expression left, const Expression& right);
Expression operator/(Expression left, std::complex<double> right);
Expression operator-(Expression operand);
inline Expression operator+(Expression operand) { return operand; }
/// The complex conjugate of every coefficient and tensor in it.
Expression conj(Expression operand);

/// Prints the expression as it would be written, with the shapes in place of the tensors' names.
std::ostream& operator<<(std::ostream&, const Expression&);

/// What `=`, `+=` and `-=` do, as a value for plan(). Refers to the tensors.
struct Statement {
  enum class Kind { assign, add, subtract };
  detail::Factor output;
  Kind kind = Kind::assign;
  Expression right;
};

std::ostream& operator<<(std::ostream&, const Statement&);

/// A tensor with its labels: the left side of an assignment, or an operand.
class Indexed {
 public:
  explicit Indexed(detail::Factor factor) : factor_(std::move(factor)) {}
  Indexed(const Indexed&) = default;

  operator Expression() const { return Expression(factor_); }
  /// Sums over every label. Collective; the same on every rank.
  Scalar value() const { return Expression(factor_).value(); }

  /// Plan (or find the plan in the world's cache) and run at once. Collective.
  const Indexed& operator=(const Expression& right) const;
  const Indexed& operator=(const Indexed& right) const { return *this = Expression(right); }
  Indexed& operator=(const Indexed& right) { return std::as_const(*this) = Expression(right), *this; }
  const Indexed& operator+=(const Expression& right) const;
  const Indexed& operator-=(const Expression& right) const;

  Statement assign(const Expression& right) const { return {factor_, Statement::Kind::assign, right}; }
  Statement add(const Expression& right) const { return {factor_, Statement::Kind::add, right}; }
  Statement subtract(const Expression& right) const { return {factor_, Statement::Kind::subtract, right}; }

 private:
  detail::Factor factor_;
};

}  // namespace ricci
