#include "compile/lower_program.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::compile {

using notation::Program;
using notation::ProgramExpression;
using notation::ProgramStatement;
using Kind = ProgramExpression::Kind;

namespace {

std::set<int> labels_of(const ProgramExpression& expression) {
  std::set<int> result(expression.labels.begin(), expression.labels.end());
  for (const ProgramExpression& operand : expression.operands) result.merge(labels_of(operand));
  return result;
}

class Lowering {
 public:
  explicit Lowering(const Program& program) : program_(program) {
    for (const auto& label : program.labels) formula_.labels.push_back({label.name, label.extent});
    for (std::size_t t = 0; t < program.tensors.size(); ++t) {
      const auto& tensor = program.tensors[t];
      formula_.arrays.push_back({tensor.name, tensor.labels, std::make_shared<const symmetry::Shape>(tensor.shape),
                                 tensor.type, static_cast<int>(t)});
    }
  }

  Formula run() {
    lower(program_.statements, formula_.operations);
    return std::move(formula_);
  }

 private:
  using Block = std::vector<Operation>;

  void lower(const std::vector<ProgramStatement>& statements, Block& block) {
    for (const ProgramStatement& statement : statements) {
      switch (statement.kind) {
        case ProgramStatement::Kind::assign:
        case ProgramStatement::Kind::add:
        case ProgramStatement::Kind::subtract:
          assign(statement, block);
          break;
        case ProgramStatement::Kind::print:
          block.push_back({.kind = Operation::Kind::print,
                           .terms = {{1, {scalar(statement.right, block)}}},
                           .text = statement.text});
          break;
        case ProgramStatement::Kind::repeat:
          repeat(statement, block);
          break;
      }
    }
  }

  void assign(const ProgramStatement& statement, Block& block) {
    type_ = formula_.arrays[statement.tensor].type;
    output_.clear();
    output_.insert(statement.labels.begin(), statement.labels.end());
    std::vector<Product> terms = multiply_out(statement.right, block);
    if (statement.kind == ProgramStatement::Kind::subtract) {
      for (Product& term : terms) term.coefficient = -term.coefficient;
    }
    const bool overwrites = statement.kind == ProgramStatement::Kind::assign;
    block.push_back({.kind = overwrites ? Operation::Kind::assign : Operation::Kind::add,
                     .out = {statement.tensor, statement.labels},
                     .terms = std::move(terms)});
  }

  void repeat(const ProgramStatement& statement, Block& block) {
    Operation loop{.kind = Operation::Kind::repeat, .times = statement.times, .threshold = statement.threshold};
    lower(statement.body, loop.body);
    if (statement.has_condition) loop.terms = {{1, {scalar(statement.right, loop.body)}}};
    block.push_back(std::move(loop));
  }

  /// An array of order 0 that holds the value: a tensor of the program, or an intermediate.
  Operand scalar(const ProgramExpression& expression, Block& block) {
    if (expression.kind == Kind::tensor && expression.labels.empty() && !expression.conjugate)
      return {expression.tensor, {}};
    type_ = type_of(expression);
    output_.clear();
    std::vector<Product> terms = multiply_out(expression, block);
    const bool has_it = terms.size() == 1 && terms[0].coefficient == 1 && terms[0].factors.size() == 1 &&
                        terms[0].factors[0].labels.empty() && !terms[0].factors[0].conjugate;
    if (has_it) return terms[0].factors[0];
    const Operand result = intermediate({}, {});
    block.push_back({.kind = Operation::Kind::assign, .out = result, .terms = std::move(terms)});
    return result;
  }

  ElementType type_of(const ProgramExpression& expression) const {
    if (expression.tensor >= 0) return formula_.arrays[expression.tensor].type;
    for (const ProgramExpression& operand : expression.operands) {
      if (has_tensor(operand)) return type_of(operand);
    }
    return ElementType::f64;
  }
  static bool has_tensor(const ProgramExpression& expression) {
    return expression.tensor >= 0 ||
           std::any_of(expression.operands.begin(), expression.operands.end(), &Lowering::has_tensor);
  }

  std::vector<Product> multiply_out(const ProgramExpression& expression, Block& block) {
    switch (expression.kind) {
      case Kind::number:
        return {{expression.number, {}}};
      case Kind::tensor:
        return {{1, {{expression.tensor, expression.labels, expression.conjugate}}}};
      case Kind::sum: {
        std::vector<Product> terms;
        for (const ProgramExpression& operand : expression.operands) {
          for (Product& term : multiply_out(operand, block)) terms.push_back(std::move(term));
        }
        check_count(terms.size(), expression);
        return terms;
      }
      case Kind::product: {
        std::vector<Product> terms{Product{}};
        for (const ProgramExpression& operand : expression.operands)
          terms = products(terms, multiply_out(operand, block), expression);
        return terms;
      }
      case Kind::quotient:
        return quotient(expression, block);
      case Kind::norm: {
        const Operand result = intermediate({}, {});
        const Operand of{expression.tensor, formula_.arrays[expression.tensor].labels};
        block.push_back({.kind = Operation::Kind::norm, .out = result, .terms = {{1, {of}}}});
        return {{1, {result}}};
      }
    }
    throw InternalError("an expression of no kind");
  }

  std::vector<Product> products(const std::vector<Product>& left, const std::vector<Product>& right,
                                const ProgramExpression& where) const {
    check_count(left.size() * right.size(), where);
    std::vector<Product> result;
    for (const Product& a : left) {
      for (const Product& b : right) {
        result.push_back({a.coefficient * b.coefficient, a.factors});
        result.back().factors.insert(result.back().factors.end(), b.factors.begin(), b.factors.end());
        check_factors(result.back(), where);
      }
    }
    return result;
  }

  void check_factors(const Product& term, const ProgramExpression& where) const {
    std::set<int> labels = output_;
    for (const Operand& factor : term.factors) labels.insert(factor.labels.begin(), factor.labels.end());
    if (term.factors.size() <= most_factors && labels.size() <= most_labels) return;
    throw InputError(
        fmt::format("{}:{}:{}: a product of {} factors with {} labels; at most {} and {} are possible: "
                    "assign a part of it to a tensor of its own",
                    program_.name, where.place.line, where.place.column, term.factors.size(), labels.size(),
                    most_factors, most_labels));
  }

  void check_count(std::size_t count, const ProgramExpression& where) const {
    if (count <= most_terms) return;
    throw InputError(
        fmt::format("{}:{}:{}: multiplied out, this comes to more than {} terms; assign its parts to "
                    "tensors of their own",
                    program_.name, where.place.line, where.place.column, most_terms));
  }

  /// N / D = N · (1/D), element by element; 1/D has the symmetry of D.
  std::vector<Product> quotient(const ProgramExpression& expression, Block& block) {
    std::vector<Product> numerator = multiply_out(expression.operands[0], block);
    const std::vector<Product> divisor = multiply_out(expression.operands[1], block);
    const bool is_number =
        std::all_of(divisor.begin(), divisor.end(), [](const Product& term) { return term.factors.empty(); });
    Product by;
    if (is_number) {
      by.coefficient = 0;
      for (const Product& term : divisor) by.coefficient += term.coefficient;
    } else {
      by = divisor.size() == 1 ? divisor[0] : Product{1, {divisor_array(expression.operands[1], divisor, block)}};
    }
    for (Operand& factor : by.factors) factor = inverse(factor, block);
    for (Product& term : numerator) {
      term.coefficient /= by.coefficient;
      term.factors.insert(term.factors.end(), by.factors.begin(), by.factors.end());
      check_factors(term, expression);
    }
    return numerator;
  }

  Operand inverse(const Operand& of, Block& block) {
    const Array array = formula_.arrays[of.array];
    const Operand result{intermediate(array.labels, array.shape->symmetry()).array, array.labels};
    block.push_back({.kind = Operation::Kind::invert, .out = result, .terms = {{1, {{of.array, array.labels}}}}});
    return {result.array, of.labels, of.conjugate};
  }

  /// A sum such as (e[i] + e[j]) gets an array, symmetric in labels whose exchange leaves it as it is.
  Operand divisor_array(const ProgramExpression& expression, const std::vector<Product>& terms, Block& block) {
    const std::set<int> all = labels_of(expression);
    const std::vector<int> labels(all.begin(), all.end());
    const Operand result = intermediate(labels, exchange_symmetry(terms, labels));
    // Without symmetry first: an assignment to a symmetric tensor would add the exchanged terms.
    const bool plain = formula_.arrays[result.array].shape->symmetry() == Symmetry{};
    const Operand sum = plain ? result : intermediate(labels, {});
    block.push_back({.kind = Operation::Kind::assign, .out = sum, .terms = terms});
    if (!plain) symmetric_copy(result, sum, block);
    return result;
  }

  /// S[g] = Σ over the exchanges of a tensor that they leave as it is: divided by their number.
  void symmetric_copy(const Operand& symmetric, const Operand& plain, Block& block) {
    double copies = 1;
    for (const auto& group : formula_.arrays[symmetric.array].shape->symmetry().groups()) {
      for (std::size_t n = 2; n <= group.modes.size(); ++n) copies *= static_cast<double>(n);
    }
    block.push_back({.kind = Operation::Kind::assign, .out = symmetric, .terms = {{1 / copies, {plain}}}});
  }

  Symmetry exchange_symmetry(const std::vector<Product>& terms, const std::vector<int>& labels) const {
    Symmetry result;
    std::vector<bool> taken(labels.size(), false);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (taken[i]) continue;
      std::vector<int> modes{static_cast<int>(i)};
      for (std::size_t j = i + 1; j < labels.size(); ++j) {
        if (taken[j] || !is_left_by_exchange(terms, labels[i], labels[j])) continue;
        modes.push_back(static_cast<int>(j));
        taken[j] = true;
      }
      if (modes.size() > 1) result = result * ricci::symmetric(modes);
    }
    return result;
  }

  bool is_left_by_exchange(const std::vector<Product>& terms, int x, int y) const {
    if (formula_.labels[x].extent != formula_.labels[y].extent) return false;
    const auto order = [](std::vector<Product> sorted) {
      const auto key = [](const Product& term) {
        std::string text = fmt::format("{}", term.coefficient);
        std::vector<std::string> factors;
        for (const Operand& factor : term.factors)
          factors.push_back(
              fmt::format("{}{}[{}]", factor.conjugate ? "*" : "", factor.array, fmt::join(factor.labels, ",")));
        std::sort(factors.begin(), factors.end());
        return fmt::format("{} {}", text, fmt::join(factors, "*"));
      };
      std::vector<std::string> keys;
      for (const Product& term : sorted) keys.push_back(key(term));
      std::sort(keys.begin(), keys.end());
      return keys;
    };
    std::vector<Product> exchanged = terms;
    for (Product& term : exchanged) {
      for (Operand& factor : term.factors) {
        for (int& label : factor.labels) label = label == x ? y : label == y ? x : label;
      }
    }
    return order(terms) == order(std::move(exchanged));
  }

  Operand intermediate(const std::vector<int>& labels, const Symmetry& symmetry) {
    Extents extents;
    for (int label : labels) extents.push_back(formula_.labels[label].extent);
    formula_.arrays.push_back({fmt::format("_{}", ++intermediates_), labels,
                               std::make_shared<const symmetry::Shape>(extents, symmetry), type_, -1});
    return {static_cast<int>(formula_.arrays.size()) - 1, labels};
  }

  const Program& program_;
  Formula formula_;
  ElementType type_ = ElementType::f64;  // of the statement
  std::set<int> output_;                 // labels of the statement's output
  int intermediates_ = 0;
};

}  // namespace

Formula lower_program(const Program& program) {
  Formula formula = Lowering(program).run();
  verify(formula);
  return formula;
}

}  // namespace ricci::compile
