#include "formula_case.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "dice.hpp"

namespace ricci_test {

using namespace ricci::compile;

namespace {

constexpr std::array<std::int64_t, space_count> extents = {2, 3, 1};
constexpr int labels_of_space = 5;

GroupKind kind_of(ricci::SymmetryKind kind) {
  switch (kind) {
    case ricci::SymmetryKind::symmetric:
      return GroupKind::symmetric;
    case ricci::SymmetryKind::antisymmetric:
      return GroupKind::antisymmetric;
    default:
      return GroupKind::hollow;
  }
}

std::array<std::int64_t, space_count> sizes_of_spaces(const Formula& formula) {
  std::array<std::int64_t, space_count> sizes{};
  for (std::size_t s = 0; s < sizes.size(); ++s) sizes[s] = formula.labels[s * labels_of_space].extent;
  return sizes;
}

/// Labels that a pass has added get letters behind those of their space: their extent tells which.
char letter(const Formula& formula, int label) {
  const int base = space_count * labels_of_space;
  if (label < base)
    return static_cast<char>(first_label_of_space[static_cast<std::size_t>(label / labels_of_space)] +
                             label % labels_of_space);
  const std::int64_t extent = formula.labels[static_cast<std::size_t>(label)].extent;
  const auto sizes = sizes_of_spaces(formula);
  const auto space = static_cast<std::size_t>(std::find(sizes.begin(), sizes.end(), extent) - sizes.begin());
  const int more = labels_of_space + label - base;
  if (first_label_of_space[space] + more >= first_label_of_space[space + 1])
    throw std::logic_error("the test has no letter left");
  return static_cast<char>(first_label_of_space[space] + more);
}

std::string letters(const Formula& formula, const std::vector<int>& labels) {
  std::string text;
  for (int label : labels) text += letter(formula, label);
  return text;
}

TensorShape shape_of(const Formula& formula, const Operand& operand) {
  TensorShape shape;
  for (char label : letters(formula, operand.labels)) shape.spaces.push_back(space_of(label));
  for (const auto& group : formula.arrays[static_cast<std::size_t>(operand.array)].shape->symmetry().groups())
    shape.groups.push_back({group.modes, kind_of(group.kind)});
  return shape;
}

Operand random_operand(const Formula& formula, Dice& dice, int array, std::vector<int> order) {
  Operand operand{array, {}};
  for (int label : formula.arrays[static_cast<std::size_t>(array)].labels) {
    const int space = label / labels_of_space;
    operand.labels.push_back(space * labels_of_space + order[static_cast<std::size_t>(dice.between(0, 3))]);
  }
  return operand;
}

ricci::Symmetry random_symmetry(Dice& dice, const std::vector<int>& labels) {
  ricci::Symmetry symmetry;
  for (std::size_t m = 0; m + 1 < labels.size(); ++m) {
    if (labels[m] / labels_of_space != labels[m + 1] / labels_of_space || !dice.chance(50)) continue;
    const int mode = static_cast<int>(m++);
    const ricci::SymmetryKind kind = dice.pick(
        std::vector{ricci::SymmetryKind::symmetric, ricci::SymmetryKind::antisymmetric, ricci::SymmetryKind::hollow});
    symmetry = symmetry * ricci::Symmetry(kind, {mode, mode + 1});
  }
  return symmetry;
}

}  // namespace

Formula random_formula(std::uint64_t seed) {
  Dice dice(seed);
  Formula formula;
  for (std::size_t space = 0; space < space_count; ++space) {
    for (int l = 0; l < labels_of_space; ++l) {
      const char name = static_cast<char>(first_label_of_space[space] + l);
      formula.labels.push_back({std::string(1, name), extents[space]});
    }
  }
  const int tensors = dice.between(3, 5);
  for (int t = 0; t < tensors; ++t) {
    std::vector<int> labels;
    const int order = dice.between(0, 3);
    for (int m = 0; m < order; ++m) labels.push_back(dice.between(0, space_count - 1) * labels_of_space + m);
    std::sort(labels.begin(), labels.end());
    ricci::Extents sizes;
    for (int label : labels) sizes.push_back(extents[static_cast<std::size_t>(label / labels_of_space)]);
    formula.arrays.push_back({"T" + std::to_string(t), labels,
                              std::make_shared<const ricci::symmetry::Shape>(sizes, random_symmetry(dice, labels)),
                              ricci::ElementType::f64, t});
  }
  const int statements = dice.between(1, 4);
  for (int s = 0; s < statements; ++s) {
    Operation operation{.kind = dice.chance(50) ? Operation::Kind::assign : Operation::Kind::add};
    std::vector<int> order{0, 1, 2, 3};
    operation.out = random_operand(formula, dice, dice.between(0, tensors - 1), order);
    const int terms = dice.between(1, 4);
    for (int t = 0; t < terms; ++t) {
      dice.shuffle(order);
      Product term{0.5 * dice.between(-3, 3), {}};
      const int factors = dice.between(1, 4);
      for (int f = 0; f < factors; ++f)
        term.factors.push_back(random_operand(formula, dice, dice.between(0, tensors - 1), order));
      const bool again = !formula.operations.empty() && dice.chance(30);
      if (again) term.factors = formula.operations.back().terms[0].factors;
      operation.terms.push_back(std::move(term));
    }
    formula.operations.push_back(std::move(operation));
  }
  return formula;
}

std::vector<DenseTensor> evaluate(const Formula& formula, std::uint64_t seed) {
  const auto sizes = sizes_of_spaces(formula);
  Statement all;  // only to have data for every array
  all.extents = sizes;
  all.data_seed = seed;
  for (const Array& array : formula.arrays) {
    const int number = static_cast<int>(&array - formula.arrays.data());
    all.tensors.push_back(shape_of(formula, {number, array.labels}));
  }
  std::vector<DenseTensor> data = random_data(all);
  for (const Operation& operation : formula.operations) {
    Statement statement;
    statement.extents = sizes;
    statement.output = letters(formula, operation.out.labels);
    statement.how = operation.kind == Operation::Kind::assign ? Assignment::assign : Assignment::add;
    statement.tensors.push_back(shape_of(formula, operation.out));
    std::vector<DenseTensor> operands{data[static_cast<std::size_t>(operation.out.array)]};
    for (const Product& term : operation.terms) {
      statement.terms.push_back({term.coefficient, {}});
      for (const Operand& factor : term.factors) {
        statement.terms.back().factors.push_back({static_cast<int>(operands.size()), letters(formula, factor.labels)});
        statement.tensors.push_back(shape_of(formula, factor));
        operands.push_back(data[static_cast<std::size_t>(factor.array)]);
      }
    }
    data[static_cast<std::size_t>(operation.out.array)] = evaluate(statement, operands).values;
  }
  std::vector<DenseTensor> result;
  for (std::size_t a = 0; a < data.size(); ++a) {
    if (!formula.arrays[a].is_intermediate()) result.push_back(std::move(data[a]));
  }
  return result;
}

}  // namespace ricci_test
