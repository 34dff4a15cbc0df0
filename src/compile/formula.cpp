#include "compile/formula.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "symmetry/fold.hpp"

namespace ricci::compile {

std::vector<std::int64_t> Formula::extents() const {
  std::vector<std::int64_t> result;
  for (const Label& label : labels) result.push_back(label.extent);
  return result;
}

double guessed_passes(const Operation& repeat) {
  constexpr double until_converged = 10;
  const double most = static_cast<double>(repeat.times);
  return repeat.has_condition() ? std::min(most, until_converged) : most;
}

double term_flops(const Formula& formula, const Operand& out, const Product& term) {
  const auto labelled = [&](const Operand& operand) {
    return symmetry::Labelled{formula.arrays[operand.array].shape.get(), operand.labels};
  };
  const double per_product = is_complex(formula.arrays[out.array].type) ? 4 : 1;  // times 2 for a multiply-add
  if (term.factors.empty()) return 0;
  if (term.factors.size() <= 2) {
    const bool one = term.factors.size() == 1;
    const auto fold = symmetry::fold(labelled(out), labelled(term.factors[0]),
                                     one ? symmetry::Labelled{} : labelled(term.factors[1]), formula.extents());
    return fold.vanishes ? 0 : fold.products() * per_product * (one ? 1 : 2);
  }
  std::vector<int> all = out.labels;
  for (const Operand& factor : term.factors) all.insert(all.end(), factor.labels.begin(), factor.labels.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  double points = 1;
  for (int label : all) points *= static_cast<double>(formula.labels[label].extent);
  return points * static_cast<double>(term.factors.size()) * per_product;
}

namespace {

void add_effort(const Formula& formula, const std::vector<Operation>& operations, double passes, Effort& effort) {
  for (const Operation& operation : operations) {
    switch (operation.kind) {
      case Operation::Kind::assign:
      case Operation::Kind::add:
        for (const Product& term : operation.terms) effort.flops += passes * term_flops(formula, operation.out, term);
        break;
      case Operation::Kind::invert:
        effort.flops += passes * static_cast<double>(formula.arrays[operation.out.array].shape->stored_size());
        break;
      case Operation::Kind::repeat:
        add_effort(formula, operation.body, passes * guessed_passes(operation), effort);
        break;
      default:
        break;
    }
  }
}

std::string describe(const Formula& formula, const Product& term) {
  std::vector<std::string> parts;
  for (const Operand& factor : term.factors) parts.push_back(describe(formula, factor));
  if (std::abs(term.coefficient) != 1 || parts.empty())
    parts.insert(parts.begin(), fmt::format("{:g}", std::abs(term.coefficient)));
  return fmt::format("{}", fmt::join(parts, " * "));
}

std::string describe_sum(const Formula& formula, const std::vector<Product>& terms) {
  std::string text;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const bool minus = std::signbit(terms[t].coefficient);
    text += t == 0 ? (minus ? "-" : "") : (minus ? " - " : " + ");
    text += describe(formula, terms[t]);
  }
  return text.empty() ? "0" : text;
}

void print(std::ostream& out, const Formula& formula, const std::vector<Operation>& operations, int depth) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  for (const Operation& operation : operations) {
    const auto term = [&](std::size_t t) { return describe(formula, operation.terms[t]); };
    switch (operation.kind) {
      case Operation::Kind::assign:
      case Operation::Kind::add:
        fmt::print(out, "{}{} {} {}\n", indent, describe(formula, operation.out),
                   operation.kind == Operation::Kind::assign ? "=" : "+=", describe_sum(formula, operation.terms));
        break;
      case Operation::Kind::invert:
        fmt::print(out, "{}{} = 1 / {}\n", indent, describe(formula, operation.out), term(0));
        break;
      case Operation::Kind::norm:
        fmt::print(out, "{}{} = norm({})\n", indent, describe(formula, operation.out), term(0));
        break;
      case Operation::Kind::print:
        fmt::print(out, "{}print {}\n", indent, term(0));
        break;
      case Operation::Kind::release:
        fmt::print(out, "{}release {}\n", indent, formula.arrays[operation.out.array].name);
        break;
      case Operation::Kind::repeat:
        fmt::print(out, "{}repeat {}{}\n", indent, operation.has_condition() ? "at most " : "", operation.times);
        print(out, formula, operation.body, depth + 1);
        if (operation.has_condition())
          fmt::print(out, "{}until {} < {:g}\n", indent, term(0), operation.threshold);
        else
          fmt::print(out, "{}end\n", indent);
        break;
    }
  }
}

}  // namespace

Effort effort(const Formula& formula) {
  Effort result;
  add_effort(formula, formula.operations, 1, result);
  for (const Array& array : formula.arrays) {
    if (array.is_intermediate()) result.elements += static_cast<double>(array.shape->stored_size());
  }
  return result;
}

std::string describe(const Formula& formula, const Operand& operand) {
  std::vector<std::string> names;
  for (int label : operand.labels) names.push_back(formula.labels[label].name);
  const std::string& name = formula.arrays[operand.array].name;
  const std::string text = names.empty() ? name : fmt::format("{}[{}]", name, fmt::join(names, ","));
  return operand.conjugate ? fmt::format("conj({})", text) : text;
}

std::ostream& operator<<(std::ostream& out, const Formula& formula) {
  print(out, formula, formula.operations, 0);
  return out;
}

}  // namespace ricci::compile
