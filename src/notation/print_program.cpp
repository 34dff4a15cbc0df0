#include <ostream>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "notation/format_program.hpp"
#include "notation/program.hpp"

namespace ricci::notation {

namespace {

class Printer {
 public:
  Printer(std::ostream& out, const Program& program) : out_(out), program_(program) {}

  void run() {
    for (std::size_t i = 0; i < program_.labels.size(); ++i) print_index(i);
    for (const ProgramTensor& tensor : program_.tensors) print(tensor);
    block(program_.statements, "");
  }

 private:
  /// Neighbours of one range share a line.
  void print_index(std::size_t number) {
    const auto alike = [&](std::size_t a, std::size_t b) {
      return program_.labels[a].space == program_.labels[b].space &&
             program_.labels[a].extent == program_.labels[b].extent;
    };
    const ProgramLabel& label = program_.labels[number];
    out_ << (number > 0 && alike(number - 1, number) ? " " : "index ") << label.name;
    if (number + 1 < program_.labels.size() && alike(number, number + 1)) return;
    fmt::print(out_, " : {}{}\n", label.extent, label.space.empty() ? "" : " (" + label.space + ")");
  }

  std::string labelled(int tensor, const std::vector<int>& labels) const {
    std::vector<std::string> names;
    for (const int label : labels) names.push_back(program_.labels[label].name);
    const std::string& name = program_.tensors[tensor].name;
    return names.empty() ? name : fmt::format("{}[{}]", name, fmt::join(names, ","));
  }

  void print(const ProgramTensor& tensor) {
    const char* const role = tensor.role == Role::input ? "input" : tensor.role == Role::output ? "output" : "tensor";
    const int number = static_cast<int>(&tensor - program_.tensors.data());
    fmt::print(out_, "{} {}: {}", role, labelled(number, tensor.labels), name_of(tensor.type));
    if (tensor.shape.order() > 0) fmt::print(out_, " {}", fmt::streamed(tensor.shape));
    if (tensor.on_disk) out_ << " disk";
    if (tensor.sparse) out_ << " sparse";
    if (tensor.origin == Origin::random) fmt::print(out_, " random({})", tensor.seed);
    if (tensor.origin == Origin::zero) out_ << " zero";
    if (tensor.origin == Origin::given) out_ << " given";
    if (!tensor.file.empty()) out_ << (tensor.role == Role::input ? " from " : " to ") << quoted(tensor.file);
    out_ << '\n';
  }

  void block(const std::vector<ProgramStatement>& statements, const std::string& margin) {
    for (const ProgramStatement& statement : statements) print(statement, margin);
  }

  void print(const ProgramStatement& statement, const std::string& margin) {
    using Kind = ProgramStatement::Kind;
    out_ << margin;
    if (statement.kind == Kind::print) {
      fmt::print(out_, "print {}\n", text(statement.right));
    } else if (statement.kind == Kind::repeat) {
      if (statement.has_condition) {
        fmt::print(out_, "repeat until {} < {} max {} {{\n", text(statement.right), statement.threshold,
                   statement.times);
      } else {
        fmt::print(out_, "repeat {} {{\n", statement.times);
      }
      block(statement.body, margin + "  ");
      out_ << margin << "}\n";
    } else {
      constexpr const char* words[] = {"=", "+=", "-="};
      fmt::print(out_, "{} {} {}\n", labelled(statement.tensor, statement.labels),
                 words[static_cast<int>(statement.kind)], text(statement.right));
    }
  }

  std::string sum(const ProgramExpression& expression) const {
    std::string whole;
    for (const ProgramExpression& operand : expression.operands) {
      std::string term = operand.kind == ProgramExpression::Kind::sum ? '(' + text(operand) + ')' : text(operand);
      const bool minus = !whole.empty() && term[0] == '-';
      if (minus) term.erase(0, term.rfind("-1 * ", 0) == 0 ? 5 : 1);
      whole += (whole.empty() ? "" : minus ? " - " : " + ") + term;
    }
    return whole;
  }

  /// Of a product or quotient.
  std::string joined(const ProgramExpression& expression, const char* separator) const {
    using Kind = ProgramExpression::Kind;
    std::string whole;
    for (const ProgramExpression& operand : expression.operands) {
      const bool first = &operand == expression.operands.data();
      const bool plain = operand.kind != Kind::sum && (first || operand.kind != Kind::quotient);
      if (!first) whole += separator;
      whole += plain ? text(operand) : '(' + text(operand) + ')';
    }
    return whole;
  }

  std::string text(const ProgramExpression& expression) const {
    using Kind = ProgramExpression::Kind;
    switch (expression.kind) {
      case Kind::number:
        return fmt::format("{}", expression.number);
      case Kind::tensor:
        return fmt::format(fmt::runtime(expression.conjugate ? "conj({})" : "{}"),
                           labelled(expression.tensor, expression.labels));
      case Kind::norm:
        return fmt::format("norm({})", labelled(expression.tensor, {}));
      case Kind::sum:
        return sum(expression);
      case Kind::product:
        return joined(expression, " * ");
      case Kind::quotient:
        break;
    }
    return joined(expression, " / ");
  }

  std::ostream& out_;
  const Program& program_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Program& program) {
  Printer(out, program).run();
  return out;
}

}  // namespace ricci::notation
