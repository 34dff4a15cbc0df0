#include "notation/format_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "notation/format_program.hpp"

namespace ricci::notation {

namespace {

using syntax::Expression;
using Kind = Expression::Kind;

bool is_compound(const Expression& expression) {
  return expression.kind == Kind::sum || expression.kind == Kind::product;
}

std::string in_parentheses(const Expression& expression) { return '(' + format_expression(expression) + ')'; }

/// As a factor, or under a sign: sums and products need parentheses.
std::string factor(const Expression& expression) {
  return is_compound(expression) ? in_parentheses(expression) : format_expression(expression);
}

std::string product(const Expression& expression) {
  std::string text;
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    const Expression& operand = expression.operands[i];
    // A fraction is one number to the reader: 1/4
    const bool is_fraction =
        i == 1 && operand.join == '/' && operand.kind == Kind::number && expression.operands[0].kind == Kind::number;
    if (i > 0) text += is_fraction ? "/" : fmt::format(" {} ", operand.join);
    text += factor(operand);
  }
  return text;
}

std::string sum(const Expression& expression) {
  std::string text;
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    if (i > 0) text += fmt::format(" {} ", expression.operands[i].join);
    text += format_term(expression.operands[i]);
  }
  return text;
}

}  // namespace

std::string format_names(const std::vector<syntax::Name>& names, std::string_view separator) {
  std::string text;
  for (const syntax::Name& name : names) {
    if (!text.empty()) text += separator;
    text += name.text;
  }
  return text;
}

std::string format_labelled(const syntax::Name& name, const std::vector<syntax::Name>& labels) {
  return labels.empty() ? name.text : fmt::format("{}[{}]", name.text, format_names(labels, ","));
}

std::string format_term(const Expression& term) {
  return term.kind == Kind::sum ? in_parentheses(term) : format_expression(term);
}

std::string format_expression(const Expression& expression) {
  switch (expression.kind) {
    case Kind::number:
      return expression.name.text;
    case Kind::tensor:
      return format_labelled(expression.name, expression.labels);
    case Kind::norm:
      return fmt::format("norm({})", expression.name.text);
    case Kind::conj:
      return fmt::format("conj({})", format_expression(expression.operands[0]));
    case Kind::negate:
      return '-' + factor(expression.operands[0]);
    case Kind::sum:
      return sum(expression);
    case Kind::product:
      break;
  }
  return product(expression);
}

}  // namespace ricci::notation
