#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include <ricci/error.hpp>
#include <ricci/expression.hpp>

#include "api/make_tensor_state.hpp"
#include "api/statement.hpp"
#include "api/tensor_state.hpp"

namespace ricci {

using detail::Factor;
using detail::Term;

Scalar::operator double() const {
  if (is_complex_) {
    throw InputError(fmt::format("the value ({}, {}) is of a complex type; use a std::complex<double> for it",
                                 value_.real(), value_.imag()));
  }
  return value_.real();
}

std::ostream& operator<<(std::ostream& out, const Scalar& scalar) {
  const std::complex<double> value = scalar;
  if (value.imag() != 0) return out << value;
  return out << value.real();
}

Expression::Expression(double number) : Expression(std::complex<double>(number)) {}
Expression::Expression(std::complex<double> number) : terms_{Term{number, {}}} {}
Expression::Expression(Factor factor) {
  terms_.emplace_back();
  terms_.back().factors.push_back(std::move(factor));
}

Expression& Expression::operator+=(const Expression& right) { return *this = std::move(*this) + right; }
Expression& Expression::operator-=(const Expression& right) { return *this = std::move(*this) + -right; }
Expression& Expression::operator*=(const Expression& right) { return *this = std::move(*this) * right; }

Expression operator+(Expression left, const Expression& right) {
  left.terms_.insert(left.terms_.end(), right.terms_.begin(), right.terms_.end());
  return left;
}

Expression operator-(Expression left, const Expression& right) { return std::move(left) + -right; }

Expression operator*(Expression left, const Expression& right) {
  const auto multiply = [](Term& term, const Term& by) {
    term.coefficient *= by.coefficient;
    term.factors.insert(term.factors.end(), by.factors.begin(), by.factors.end());
  };
  if (right.terms_.size() == 1) {
    for (Term& term : left.terms_) multiply(term, right.terms_[0]);
    return left;
  }
  Expression product;
  for (const Term& term : left.terms_) {
    for (const Term& by : right.terms_) multiply(product.terms_.emplace_back(term), by);
  }
  return product;
}

Expression operator/(Expression left, std::complex<double> right) {
  if (right == 0.0) throw InputError("an expression is divided by zero");
  return std::move(left) * Expression(1.0 / right);
}

Expression operator-(Expression operand) {
  for (Term& term : operand.terms_) term.coefficient = -term.coefficient;
  return operand;
}

Expression conj(Expression operand) {
  for (Term& term : operand.terms_) {
    term.coefficient = std::conj(term.coefficient);
    for (Factor& factor : term.factors) factor.conjugate = !factor.conjugate;
  }
  return operand;
}

Scalar Expression::value() const {
  const detail::TensorState* like = nullptr;
  for (const Term& term : terms_) {
    for (const Factor& factor : term.factors) like = like ? like : factor.tensor.get();
  }
  if (!like) {
    std::complex<double> sum = 0;
    for (const Term& term : terms_) sum += term.coefficient;
    return Scalar(sum, sum.imag() != 0);
  }
  const Factor result{detail::make_tensor_state(like->world, like->type, {}, {}), "", false};
  detail::run_now({result, Statement::Kind::assign, *this});
  return visit_element_type(like->type, [&](auto* tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    return Scalar(std::complex<double>(*result.tensor->data.template as<T>()), is_complex(like->type));
  });
}

const Indexed& Indexed::operator=(const Expression& right) const {
  detail::run_now({factor_, Statement::Kind::assign, right});
  return *this;
}
const Indexed& Indexed::operator+=(const Expression& right) const {
  detail::run_now({factor_, Statement::Kind::add, right});
  return *this;
}
const Indexed& Indexed::operator-=(const Expression& right) const {
  detail::run_now({factor_, Statement::Kind::subtract, right});
  return *this;
}

namespace {

void print_factor(std::ostream& out, const Factor& factor) {
  if (factor.conjugate) out << "conj(";
  out << '(' << *factor.tensor->shape << ")[\"" << factor.labels << "\"]";
  if (factor.conjugate) out << ')';
}

void print_coefficient(std::ostream& out, std::complex<double> coefficient) {
  if (coefficient.imag() != 0) {
    out << coefficient;
  } else {
    out << coefficient.real();
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Expression& expression) {
  if (expression.terms().empty()) return out << '0';
  const char* plus = "";
  for (const Term& term : expression.terms()) {
    out << plus;
    plus = " + ";
    if (term.coefficient != 1.0 || term.factors.empty()) print_coefficient(out, term.coefficient);
    const char* times = term.coefficient != 1.0 ? " * " : "";
    for (const Factor& factor : term.factors) {
      out << times;
      times = " * ";
      print_factor(out, factor);
    }
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const Statement& statement) {
  print_factor(out, statement.output);
  out << (statement.kind == Statement::Kind::assign ? " = " : statement.kind == Statement::Kind::add ? " += " : " -= ");
  return out << statement.right;
}

}  // namespace ricci
