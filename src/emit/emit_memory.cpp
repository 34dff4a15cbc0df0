// Operations on arrays in memory: as they would be written by hand.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/emitter.hpp"

namespace ricci::emit {

using compile::Operand;
using compile::Operation;
using compile::Product;

std::string product(double coefficient, std::vector<std::string> factors) {
  if (coefficient != 1 || factors.empty()) factors.insert(factors.begin(), number(coefficient));
  return fmt::format("{}", fmt::join(factors, " * "));
}

std::string Emitter::labels(const std::vector<int>& labels) const {
  std::vector<std::string> names;
  for (int label : labels) names.push_back(formula_.labels[static_cast<std::size_t>(label)].name);
  return quoted(fmt::format("{}", fmt::join(names, ",")));
}

void Emitter::sum_in_memory(const Operation& operation) {
  std::string sum;
  for (const Product& term : operation.terms) {
    std::vector<std::string> factors;
    for (const Operand& factor : term.factors) {
      const std::string text = fmt::format("{}[{}]", name(factor.array), labels(factor.labels));
      factors.push_back(factor.conjugate ? fmt::format("conj({})", text) : text);
    }
    const bool minus = !sum.empty() && std::signbit(term.coefficient);
    if (!sum.empty()) sum += minus ? " - " : " + ";
    std::string text = product(minus ? -term.coefficient : term.coefficient, factors);
    sum += factors.empty() ? fmt::format("Expression({})", text) : text;
  }
  out_.line(fmt::format("{}[{}] {} {};", name(operation.out.array), labels(operation.out.labels),
                        operation.kind == Operation::Kind::assign ? "=" : "+=", sum.empty() ? "Expression()" : sum));
}

void Emitter::invert_in_memory(const Operation& operation) {
  const int array = operation.out.array;
  out_.line(fmt::format("{} = {};", name(array), name(operation.terms[0].factors[0].array)));
  out_.line(fmt::format("{0}.transform([]({1} x) {{ return {1}(1) / x; }});", name(array), type(array)));
}

void Emitter::set_scalar(int array, const std::string& value) {
  const std::string of = type(array);
  out_.line(
      fmt::format("{}.fill({});", name(array), of == "double" ? value : fmt::format("static_cast<{}>({})", of, value)));
}

}  // namespace ricci::emit
