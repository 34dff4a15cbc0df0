#pragma once
// A program as a list of operations on arrays: what the compiler rewrites, and what is run. It prints.
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "symmetry/shape.hpp"
#include "util/element_type.hpp"

namespace ricci::compile {

struct Label {
  std::string name;
  std::int64_t extent = 0;
};

/// A tensor of the program, or an intermediate that the compiler has made.
struct Array {
  std::string name;
  std::vector<int> labels;  // as declared: for people
  std::shared_ptr<const symmetry::Shape> shape;
  ElementType type = ElementType::f64;
  int tensor = -1;  // its number in the program; -1: an intermediate
  bool is_intermediate() const { return tensor < 0; }
};

struct Operand {
  int array = -1;
  std::vector<int> labels;
  bool conjugate = false;
  bool operator==(const Operand&) const = default;
};

struct Product {
  double coefficient = 1;
  std::vector<Operand> factors;
  bool operator==(const Product&) const = default;
};

struct Operation {
  enum class Kind {
    assign,   // out = Σ terms, by the rules of semantics.md
    add,      // out += Σ terms
    invert,   // out = 1 / terms[0], element by element: one factor, of the same shape
    norm,     // out (a scalar) = the 2-norm of terms[0], one factor
    print,    // `text` and the scalar terms[0], one factor
    release,  // the array `out` is not needed any more
    repeat,   // `body`, `times` times, or until the scalar terms[0] < `threshold` after a pass
  };
  Kind kind = Kind::assign;
  Operand out = {};
  std::vector<Product> terms = {};
  std::string text = {};
  std::int64_t times = 0;
  double threshold = 0;
  std::vector<Operation> body = {};

  bool writes() const {
    return kind == Kind::assign || kind == Kind::add || kind == Kind::invert || kind == Kind::norm;
  }
  bool has_condition() const { return kind == Kind::repeat && !terms.empty(); }
  bool operator==(const Operation&) const = default;
};

/// Multiply-adds and sizes are counted as they are really done: by what the symmetries leave of them.
struct Effort {
  double flops = 0;     // of the whole program; a loop that ends by a condition counts `guessed_passes` passes
  double elements = 0;  // of all intermediates together
};

struct Formula {
  std::vector<Label> labels;
  std::vector<Array> arrays;
  std::vector<Operation> operations;

  std::vector<std::int64_t> extents() const;  // of each label
};

/// How often a loop is thought to run: `times`, or fewer where a condition ends it.
double guessed_passes(const Operation& repeat);

/// Flops of one run. Products of several factors count as they stand: one loop nest over all of their labels.
Effort effort(const Formula& formula);

/// Flops of one term of at most two factors: what folding leaves of it. Of more factors: of one loop nest.
double term_flops(const Formula& formula, const Operand& out, const Product& term);

/// InternalError where a formula contradicts itself: arrays out of range, labels that do not fit shapes, intermediates
/// read before they are written or after they are released, kinds with the wrong operands.
void verify(const Formula& formula);

std::string describe(const Formula& formula, const Operand& operand);
std::ostream& operator<<(std::ostream&, const Formula&);

}  // namespace ricci::compile
