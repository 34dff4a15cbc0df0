#include "spin/write_terms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ricci::spin {

using notation::syntax::Expression;
using notation::syntax::Name;
using Kind = Expression::Kind;

namespace {

Expression number(const std::string& text) {
  Expression expression{.kind = Kind::number};
  expression.name.text = text;
  return expression;
}

/// A negative number at the head of a sum is one word to the formatter only where it is no fraction.
bool is_short_decimal(double value) { return fmt::format("{}", value).size() <= 6; }

Expression negated(Expression term) {
  if (term.kind == Kind::product) {
    const bool is_fraction = term.operands.size() > 1 && term.operands[0].kind == Kind::number &&
                             term.operands[1].kind == Kind::number && term.operands[1].join == '/';
    if (is_fraction) {
      const double value = std::stod(term.operands[0].name.text) / std::stod(term.operands[1].name.text);
      if (is_short_decimal(value)) {
        term.operands[0] = number(fmt::format("{}", value));
        term.operands.erase(term.operands.begin() + 1);
      }
    }
    if (term.operands.size() == 1) return negated(std::move(term.operands[0]));
    term.operands[0] = negated(std::move(term.operands[0]));
    return term;
  }
  Expression minus{.kind = Kind::negate};
  minus.operands.push_back(std::move(term));
  return minus;
}

Expression factor_expression(const SpinTensors& spins, SpinNames& names, const Factor& factor,
                             const std::map<std::string, std::string>& instead) {
  if (factor.norm) {
    Expression norm{.kind = Kind::norm};
    norm.name.text = spins.program->tensors[factor.tensor].name;
    return norm;
  }
  const std::string name = block_name(spins, factor.tensor, factor.pattern);
  const auto other = instead.find(name);
  Expression tensor = tensor_expression(other == instead.end() ? name : other->second, names.labels(factor.labels));
  if (!factor.conjugate) return tensor;
  Expression conjugate{.kind = Kind::conj};
  conjugate.operands.push_back(std::move(tensor));
  return conjugate;
}

}  // namespace

std::vector<Expression> number_factors(double value) {
  for (const int divisor : {1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 32, 36, 48, 64, 72, 96, 144, 288, 576}) {
    const double top = std::round(value * divisor);
    if (top < 1 || top > 1000 || top / divisor != value) continue;
    std::vector<Expression> factors{number(fmt::format("{}", static_cast<int>(top)))};
    if (divisor == 1) return factors;
    factors.push_back(number(fmt::format("{}", divisor)));
    factors.back().join = '/';
    return factors;
  }
  return {number(fmt::format("{}", value))};
}

Expression tensor_expression(const std::string& name, std::vector<Name> labels) {
  Expression tensor{.kind = Kind::tensor};
  tensor.name.text = name;
  tensor.labels = std::move(labels);
  return tensor;
}

Expression product_expression(std::vector<Expression> factors) {
  if (factors.size() == 1) return std::move(factors[0]);
  for (std::size_t i = 1; i < factors.size(); ++i) {
    if (factors[i].join != '/') factors[i].join = '*';
  }
  Expression product{.kind = Kind::product};
  product.operands = std::move(factors);
  return product;
}

Expression sum_expression(std::vector<SignedExpression> terms) {
  if (terms.empty()) return number("0");
  Expression sum{.kind = Kind::sum};
  for (auto& [term, minus] : terms) {
    const bool first = sum.operands.empty();
    sum.operands.push_back(first && minus ? negated(std::move(term)) : std::move(term));
    sum.operands.back().join = minus ? '-' : '+';
  }
  if (sum.operands.size() > 1) return sum;
  Expression only = std::move(sum.operands[0]);
  return only;
}

Expression write_terms(const SpinTensors& spins, SpinNames& names, const std::vector<Term>& terms,
                       const std::map<std::string, std::string>& instead) {
  std::vector<SignedExpression> sum;
  for (const Term& term : terms) {
    std::vector<Expression> factors, divisors;
    for (const Factor& factor : term.factors) {
      auto& list = factor.divides ? divisors : factors;
      list.push_back(factor_expression(spins, names, factor, instead));
      list.back().join = factor.divides ? '/' : '*';
    }
    const double size = std::abs(term.coefficient);
    if (size != 1 || factors.empty()) {
      auto numbers = number_factors(size);
      factors.insert(factors.begin(), numbers.begin(), numbers.end());
    }
    factors.insert(factors.end(), divisors.begin(), divisors.end());
    sum.push_back({product_expression(std::move(factors)), term.coefficient < 0});
  }
  return sum_expression(std::move(sum));
}

}  // namespace ricci::spin
