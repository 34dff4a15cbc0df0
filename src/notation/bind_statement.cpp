#include "notation/bind_statement.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "notation/bind_declaration.hpp"
#include "notation/bind_expression.hpp"
#include "notation/format_program.hpp"
#include "notation/nearest_name.hpp"

namespace ricci::notation {

namespace {

using syntax::Assignment;
using syntax::Expression;

/// A tensor that appears by being assigned to: its shape follows from the labels.
int add_temporary(Binding& binding, const Expression& target, const std::vector<int>& labels,
                  const ExpressionContext& context) {
  ProgramTensor tensor;
  tensor.name = target.name.text;
  tensor.labels = labels;
  tensor.type = context.type.value_or(ElementType::f64);
  tensor.place = target.where;
  const bool known =
      std::all_of(labels.begin(), labels.end(), [&](int label) { return label >= 0 && !binding.labels[label].broken; });
  bool good = known;
  if (known) {
    const auto shape = make_shape(binding, labels, {}, target.where);
    good = shape.has_value();
    if (shape) tensor.shape = *shape;
  }
  return binding.add_tensor(std::move(tensor), {.where = target.where, .broken = !good, .set = true});
}

/// The number of the tensor that is assigned to; -1 where it is to appear, or cannot be assigned to.
int find_target(Binding& binding, const Assignment& assignment, const std::vector<int>& labels) {
  const Expression& target = assignment.target;
  const auto found = binding.tensor_numbers.find(target.name.text);
  if (found == binding.tensor_numbers.end()) return -1;
  const int number = found->second;
  const ProgramTensor& tensor = binding.program.tensors[number];
  if (tensor.role == Role::input) {
    binding.diagnostics.error(target.where, fmt::format("`{}` is an input, and cannot be assigned to", tensor.name),
                              "assign to a tensor of another name, or declare this one as `tensor` or `output`");
  } else {
    binding.labels_fit(number, target.labels, labels, target.where);
  }
  return number;
}

void report_never_set(Binding& binding, const Expression& target) {
  if (binding.obscure.contains(target.name.text)) return;
  std::vector<std::string> names;
  for (const auto& [name, number] : binding.tensor_numbers) {
    if (binding.program.tensors[number].role != Role::input) names.push_back(name);
  }
  const std::string near = nearest_name(target.name.text, names);
  binding.diagnostics.error(target.where, fmt::format("`{}` is added to, but was never set", target.name.text),
                            near.empty() ? "begin with `=`, or declare it: a declared tensor begins as zero"
                                         : fmt::format("did you mean `{}`?", near));
}

}  // namespace

ProgramStatement bind_assignment(Binding& binding, const Assignment& assignment) {
  const Expression& target = assignment.target;
  ProgramStatement statement;
  statement.kind = assignment.kind;
  statement.place = target.where;
  statement.labels = binding.find_labels(target.labels);
  statement.tensor = find_target(binding, assignment, statement.labels);

  ExpressionContext context{.output_labels = statement.labels};
  if (statement.tensor >= 0 && !binding.tensors[statement.tensor].broken) {
    const ProgramTensor& tensor = binding.program.tensors[statement.tensor];
    context.type = tensor.type;
    context.type_from = tensor.name;
  }
  statement.right = bind_expression(binding, assignment.right, context);

  if (statement.tensor < 0) {
    if (assignment.kind != ProgramStatement::Kind::assign) report_never_set(binding, target);
    statement.tensor = add_temporary(binding, target, statement.labels, context);
  }
  binding.tensors[statement.tensor].set = true;
  return statement;
}

ProgramStatement bind_print(Binding& binding, const syntax::Print& print) {
  ProgramStatement statement;
  statement.kind = ProgramStatement::Kind::print;
  statement.place = print.value.where;
  statement.text = format_expression(print.value);
  ExpressionContext context{.is_scalar = true};
  statement.right = bind_expression(binding, print.value, context);
  return statement;
}

void bind_repeat(Binding& binding, const syntax::Repeat& repeat, ProgramStatement& statement) {
  if (const auto times = bind_size(binding, repeat.times)) {
    statement.times = *times;
    if (*times < 1) {
      binding.diagnostics.error(repeat.times.where, fmt::format("a block cannot be repeated {} times", *times),
                                "it runs once at least");
    }
  }
  statement.has_condition = repeat.has_condition;
  if (!repeat.has_condition) return;
  statement.text = format_expression(repeat.condition);
  ExpressionContext context{.is_scalar = true};
  statement.right = bind_expression(binding, repeat.condition, context);
  if (context.type && is_complex(*context.type)) {
    binding.diagnostics.error(repeat.condition.where,
                              fmt::format("`{}` is complex, and cannot be compared", context.type_from),
                              "compare a norm: until norm(X) < 1e-8");
  }
  statement.threshold = bind_number(binding, repeat.threshold).value_or(0);
}

}  // namespace ricci::notation
