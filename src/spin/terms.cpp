#include "spin/terms.hpp"

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::spin {

using notation::Program;
using notation::ProgramExpression;
using Kind = ProgramExpression::Kind;

namespace {

std::vector<Term> products(const std::vector<Term>& left, const std::vector<Term>& right) {
  std::vector<Term> result;
  for (const Term& a : left) {
    for (const Term& b : right) {
      result.push_back(a);
      result.back().coefficient *= b.coefficient;
      if (a.factors.empty()) result.back().place = b.place;
      result.back().factors.insert(result.back().factors.end(), b.factors.begin(), b.factors.end());
    }
  }
  return result;
}

/// The language divides by numbers, norms and single tensors only, so the divisor is one factor.
std::vector<Term> quotients(std::vector<Term> terms, const std::vector<Term>& divisor) {
  if (divisor.size() != 1 || divisor[0].factors.size() != 1)
    throw InternalError("a program divides by something that is no single tensor");
  Factor by = divisor[0].factors[0];
  by.divides = true;
  for (Term& term : terms) term.factors.push_back(by);
  return terms;
}

std::vector<Term> terms_of(const Program& program, const ProgramExpression& expression) {
  switch (expression.kind) {
    case Kind::number:
      if (expression.number == 0) return {};
      return {{.coefficient = expression.number, .factors = {}, .place = expression.place}};
    case Kind::tensor:
    case Kind::norm: {
      Factor factor{.tensor = expression.tensor, .labels = expression.labels, .conjugate = expression.conjugate};
      factor.norm = expression.kind == Kind::norm;
      return {{.factors = {std::move(factor)}, .place = expression.place}};
    }
    case Kind::sum: {
      std::vector<Term> terms;
      for (const ProgramExpression& operand : expression.operands) {
        for (Term& term : multiply_out(program, operand)) terms.push_back(std::move(term));
      }
      return terms;
    }
    case Kind::product: {
      std::vector<Term> terms{Term{}};
      for (const ProgramExpression& operand : expression.operands) {
        terms = products(terms, multiply_out(program, operand));
        if (terms.size() > most_terms) break;
      }
      return terms;
    }
    case Kind::quotient:
      return quotients(multiply_out(program, expression.operands[0]), multiply_out(program, expression.operands[1]));
  }
  throw InternalError("an expression of no kind");
}

}  // namespace

std::vector<Term> multiply_out(const Program& program, const ProgramExpression& expression) {
  std::vector<Term> terms = terms_of(program, expression);
  if (terms.size() > most_terms) {
    throw InputError(
        fmt::format("{}:{}:{}: multiplied out, this comes to more than {} terms; assign its parts to "
                    "tensors of their own",
                    program.name, expression.place.line, expression.place.column, most_terms));
  }
  return terms;
}

}  // namespace ricci::spin
