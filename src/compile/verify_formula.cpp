#include <algorithm>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "compile/formula.hpp"

namespace ricci::compile {

namespace {

class Verifier {
 public:
  explicit Verifier(const Formula& formula) : formula_(formula) {
    for (const Array& array : formula.arrays) {
      require(array.shape != nullptr, fmt::format("array {} has no shape", array.name));
      ready_.push_back(!array.is_intermediate());
    }
  }

  void check(const std::vector<Operation>& operations) {
    for (const Operation& operation : operations) check(operation);
  }

 private:
  static void require(bool holds, const std::string& what) {
    if (!holds) throw InternalError("a formula contradicts itself: " + what);
  }

  void check(const Operand& operand) const {
    require(operand.array >= 0 && operand.array < std::ssize(formula_.arrays), "an array out of range");
    const Array& array = formula_.arrays[operand.array];
    require(std::ssize(operand.labels) == array.shape->order(), "a wrong number of labels at " + array.name);
    for (std::size_t mode = 0; mode < operand.labels.size(); ++mode) {
      const int label = operand.labels[mode];
      require(label >= 0 && label < std::ssize(formula_.labels), "a label out of range at " + array.name);
      require(formula_.labels[label].extent == array.shape->extents()[mode],
              fmt::format("label {} does not fit {}", formula_.labels[label].name, array.name));
    }
  }

  void check_reads(const Operation& operation) const {
    for (const Product& term : operation.terms) {
      for (const Operand& factor : term.factors) {
        check(factor);
        require(ready_[factor.array], fmt::format("{} is read where it holds nothing", name(factor)));
      }
    }
  }

  /// Kinds that take single arrays rather than sums of products.
  void check_single(const Operation& operation, std::size_t terms) const {
    require(operation.terms.size() == terms, "an operation with a wrong number of operands");
    for (const Product& term : operation.terms)
      require(term.factors.size() == 1 && term.coefficient == 1, "a product where an array is wanted");
  }

  void check(const Operation& operation) {
    using Kind = Operation::Kind;
    if (operation.kind == Kind::repeat) return check_repeat(operation);
    check_reads(operation);
    if (operation.kind == Kind::print) return check_single(operation, 1);
    check_output(operation);
    if (operation.kind == Kind::add)
      require(ready_[operation.out.array], fmt::format("{} is added to before it holds anything", name(operation.out)));
    if (operation.kind == Kind::norm) check_single(operation, 1);
    if (operation.kind == Kind::invert) check_invert(operation);
    if (operation.kind == Kind::release)
      require(ready_[operation.out.array], fmt::format("{} is released twice", name(operation.out)));
    ready_[operation.out.array] = operation.kind != Kind::release;
  }

  void check_output(const Operation& operation) const {
    if (operation.kind == Operation::Kind::release) {
      require(operation.out.array >= 0 && operation.out.array < std::ssize(formula_.arrays), "an array out of range");
      return;
    }
    check(operation.out);
    const ElementType type = formula_.arrays[operation.out.array].type;
    for (const Product& term : operation.terms) {
      for (const Operand& factor : term.factors)
        require(formula_.arrays[factor.array].type == type, fmt::format("{} has another type", name(factor)));
    }
  }

  void check_invert(const Operation& operation) const {
    check_single(operation, 1);
    const Operand& of = operation.terms[0].factors[0];
    require(of.labels == operation.out.labels &&
                *formula_.arrays[of.array].shape == *formula_.arrays[operation.out.array].shape,
            "the inverse of an array of another shape");
  }

  void check_repeat(const Operation& operation) {
    require(operation.times >= 0, "a loop of less than no passes");
    const std::vector<bool> before = ready_;
    // The second pass begins where the first one ended.
    for (int pass = 0; pass < 2; ++pass) {
      check(operation.body);
      check_reads(operation);
    }
    if (operation.has_condition()) check_single(operation, 1);
    if (operation.times == 0) ready_ = before;
  }

  const std::string& name(const Operand& operand) const { return formula_.arrays[operand.array].name; }

  const Formula& formula_;
  std::vector<bool> ready_;  // [array]: holds something
};

}  // namespace

void verify(const Formula& formula) { Verifier(formula).check(formula.operations); }

}  // namespace ricci::compile
