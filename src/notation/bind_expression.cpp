#include "notation/bind_expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace ricci::notation {

namespace {

using syntax::Expression;
using Bound = ProgramExpression;
using Kind = Expression::Kind;

Bound number(double value, Place place) {
  Bound bound;
  bound.number = value;
  bound.place = place;
  return bound;
}

bool is_number(const Bound& bound) { return bound.kind == Bound::Kind::number; }

/// A product with at most one number, which comes first; not of one factor alone.
Bound product(double coefficient, std::vector<Bound> factors, Place place) {
  Bound whole;
  whole.kind = Bound::Kind::product;
  whole.place = place;
  for (Bound& factor : factors) {
    if (is_number(factor)) {
      coefficient *= factor.number;
    } else if (factor.kind == Bound::Kind::product) {
      for (Bound& inner : factor.operands) {
        if (is_number(inner)) {
          coefficient *= inner.number;
        } else {
          whole.operands.push_back(std::move(inner));
        }
      }
    } else {
      whole.operands.push_back(std::move(factor));
    }
  }
  if (whole.operands.empty()) return number(coefficient, place);
  if (coefficient != 1) whole.operands.insert(whole.operands.begin(), number(coefficient, place));
  if (whole.operands.size() > 1) return whole;
  Bound only = std::move(whole.operands[0]);
  return only;
}

Bound negated(Bound bound) {
  const Place place = bound.place;
  std::vector<Bound> one;
  one.push_back(std::move(bound));
  return product(-1, std::move(one), place);
}

class ExpressionBinder {
 public:
  ExpressionBinder(Binding& binding, ExpressionContext& context) : binding_(binding), context_(context) {}

  Bound bind(const Expression& expression, bool conjugate) {
    switch (expression.kind) {
      case Kind::number:
        return bind_literal(expression);
      case Kind::tensor:
        return bind_tensor(expression, conjugate);
      case Kind::norm:
        return bind_norm(expression);
      case Kind::conj:
        return bind(expression.operands[0], !conjugate);
      case Kind::negate:
        return negated(bind(expression.operands[0], conjugate));
      case Kind::sum:
        return bind_sum(expression, conjugate);
      case Kind::product:
        break;
    }
    return bind_product(expression, conjugate);
  }

 private:
  static Bound bind_literal(const Expression& expression) {
    double value = 0;
    const std::string& text = expression.name.text;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return number(value, expression.where);
  }

  Bound bind_tensor(const Expression& expression, bool conjugate) {
    const std::vector<int> labels = binding_.find_labels(expression.labels);
    const int tensor = binding_.find_set_tensor(expression.name);
    if (tensor < 0 || !fits(tensor, expression, labels)) return number(0, expression.where);
    const ProgramTensor& declared = binding_.program.tensors[tensor];
    check_type(declared, expression.where);
    Bound bound;
    bound.kind = Bound::Kind::tensor;
    bound.tensor = tensor;
    bound.labels = labels;
    bound.conjugate = conjugate && is_complex(declared.type);
    bound.place = expression.where;
    return bound;
  }

  bool fits(int tensor, const Expression& expression, const std::vector<int>& labels) {
    const ProgramTensor& declared = binding_.program.tensors[tensor];
    const bool broken = binding_.tensors[tensor].broken;
    if (context_.is_scalar && expression.labels.empty() && !declared.labels.empty() && !broken) {
      binding_.diagnostics.error(
          expression.where, fmt::format("`{}` is no scalar", declared.name),
          fmt::format("write norm({}), or sum over its indices: {}", declared.name, binding_.written(tensor)));
      return false;
    }
    return binding_.labels_fit(tensor, expression.labels, labels, expression.where);
  }

  void check_type(const ProgramTensor& tensor, Where where) {
    if (!context_.type) {
      context_.type = tensor.type;
      context_.type_from = tensor.name;
    } else if (*context_.type != tensor.type) {
      binding_.diagnostics.error(where,
                                 fmt::format("`{}` holds {}, but `{}` holds {}", tensor.name, name_of(tensor.type),
                                             context_.type_from, name_of(*context_.type)),
                                 "all tensors of a statement have one element type; declare them alike");
    }
  }

  Bound bind_norm(const Expression& expression) {
    const int tensor = binding_.find_set_tensor(expression.name);
    if (!context_.is_scalar) {
      binding_.diagnostics.error(expression.where, "norm stands only in `print` and `until`",
                                 "a sum of squares can be assigned: S = X[i] * X[i]");
    }
    Bound bound;
    bound.kind = Bound::Kind::norm;
    bound.tensor = tensor;
    bound.place = expression.where;
    return bound;
  }

  Bound bind_sum(const Expression& expression, bool conjugate) {
    Bound whole;
    whole.kind = Bound::Kind::sum;
    whole.place = expression.where;
    double total = 0;
    bool numbers_alone = true;
    for (std::size_t i = 0; i < expression.operands.size(); ++i) {
      const bool minus = i > 0 && expression.operands[i].join == '-';
      Bound term = bind(expression.operands[i], conjugate);
      if (minus) term = negated(std::move(term));
      numbers_alone = numbers_alone && is_number(term);
      if (numbers_alone) total += term.number;
      if (term.kind == Bound::Kind::sum) {
        std::move(term.operands.begin(), term.operands.end(), std::back_inserter(whole.operands));
      } else {
        whole.operands.push_back(std::move(term));
      }
    }
    return numbers_alone ? checked(total, expression) : whole;
  }

  Bound bind_product(const Expression& expression, bool conjugate) {
    double coefficient = 1;
    std::vector<Bound> factors, divisors;
    for (std::size_t i = 0; i < expression.operands.size(); ++i) {
      const Expression& operand = expression.operands[i];
      Bound factor = bind(operand, conjugate);
      if (i == 0 || operand.join == '*') {
        factors.push_back(std::move(factor));
      } else {
        divide(operand, std::move(factor), coefficient, divisors);
      }
    }
    Bound result = product(coefficient, std::move(factors), expression.where);
    if (is_number(result)) result = checked(result.number, expression);
    for (Bound& divisor : divisors) {
      Bound quotient;
      quotient.kind = Bound::Kind::quotient;
      quotient.place = expression.where;
      quotient.operands.push_back(std::move(result));
      quotient.operands.push_back(std::move(divisor));
      result = std::move(quotient);
    }
    return result;
  }

  /// Labels of a divisor are all in the output: then dividing before or after the sums over other labels is the same.
  void divide(const Expression& operand, Bound divisor, double& coefficient, std::vector<Bound>& divisors) {
    auto& diagnostics = binding_.diagnostics;
    if (is_number(divisor)) {
      if (divisor.number == 0 && is_made_of_numbers(operand)) diagnostics.error(operand.where, "division by zero");
      if (divisor.number != 0) coefficient /= divisor.number;
      return;
    }
    if (divisor.kind != Bound::Kind::tensor && divisor.kind != Bound::Kind::norm) {
      diagnostics.error(operand.where, "only numbers, norms and single tensors can be divided by",
                        "set a tensor to this first, and divide by that");
      return;
    }
    for (std::size_t i = 0; i < divisor.labels.size(); ++i) {
      const auto& output = context_.output_labels;
      const int label = divisor.labels[i];
      if (std::find(output.begin(), output.end(), label) != output.end()) continue;
      diagnostics.error(
          operand.where,
          fmt::format("index `{}` of the divisor is not in the output", binding_.program.labels[label].name),
          "division goes element by element: every index of the divisor stands on the left side");
      return;
    }
    divisors.push_back(std::move(divisor));
  }

  /// Else a zero stands for what has been reported already.
  static bool is_made_of_numbers(const Expression& expression) {
    if (expression.kind == Kind::tensor || expression.kind == Kind::norm) return false;
    return std::all_of(expression.operands.begin(), expression.operands.end(), is_made_of_numbers);
  }

  Bound checked(double value, const Expression& expression) {
    if (!std::isfinite(value)) {
      binding_.diagnostics.error(expression.where, "this number is beyond the range of double");
      value = 0;
    }
    return number(value, expression.where);
  }

  Binding& binding_;
  ExpressionContext& context_;
};

}  // namespace

ProgramExpression bind_expression(Binding& binding, const Expression& expression, ExpressionContext& context) {
  return ExpressionBinder(binding, context).bind(expression, false);
}

std::optional<double> bind_number(Binding& binding, const Expression& expression) {
  ExpressionContext context{.is_scalar = true};
  const Bound bound = bind_expression(binding, expression, context);
  if (is_number(bound)) return bound.number;
  binding.diagnostics.error(expression.where, "expected a number", "a threshold is written like 1e-8");
  return std::nullopt;
}

}  // namespace ricci::notation
