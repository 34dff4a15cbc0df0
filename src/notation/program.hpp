#pragma once
// A .ric program whose names, labels, extents and symmetries have been checked: all that a compiler needs, and no data.
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "notation/place.hpp"
#include "symmetry/shape.hpp"
#include "util/element_type.hpp"

namespace ricci::notation {

/// An index: a name and its range.
struct ProgramLabel {
  std::string name;
  std::string space;  // as declared; empty where the index was given a number
  std::int64_t extent = 0;
  Place place = {};
};

enum class Role { input, output, temporary };

/// Where an input's elements come from. An output that is given is left in a tensor of the host, too.
enum class Origin { none, file, random, zero, given };

struct ProgramTensor {
  std::string name;
  Role role = Role::temporary;
  std::vector<int> labels;  // one a mode, as declared or first assigned: numbers into Program::labels
  symmetry::Shape shape;    // extents and symmetry
  ElementType type = ElementType::f64;
  Origin origin = Origin::none;
  std::uint64_t seed = 0;  // of Origin::random
  std::string file = {};   // "A.h5:/A" or "A.npy": where an input comes from, or where an output goes; may be empty
  bool on_disk = false;    // must live on disk
  bool sparse = false;
  Place place = {};  // of its declaration, or of its first assignment
};

/// A right-hand side as it was written, and a scalar that is printed or compared.
struct ProgramExpression {
  enum class Kind {
    number,    // `number`
    tensor,    // `tensor` under `labels`
    sum,       // of the operands
    product,   // of the operands; summed over every label that is not in the output. A number comes first
    quotient,  // first operand by second, element by element: a tensor whose labels are all in the output, or a norm
    norm,      // the 2-norm of `tensor`, unpacked; no labels. In what is printed or compared only
  };
  Kind kind = Kind::number;
  double number = 0;
  int tensor = -1;          // into Program::tensors
  std::vector<int> labels;  // into Program::labels
  bool conjugate = false;   // `tensor` is read as its complex conjugate; never set for real ones
  std::vector<ProgramExpression> operands;
  Place place = {};
};

struct ProgramStatement {
  enum class Kind { assign, add, subtract, print, repeat };
  Kind kind = Kind::assign;
  Place place = {};

  // assign, add, subtract: `tensor` under `labels` gets `right`. print: `right` is a scalar, and `text` its source.
  int tensor = -1;
  std::vector<int> labels;
  ProgramExpression right;
  std::string text;

  // repeat: `body`, `times` times (1 or more), or until `right` < `threshold` after a pass, `times` being the most;
  // `text` is then the source of `right`.
  std::int64_t times = 0;
  bool has_condition = false;
  double threshold = 0;
  std::vector<ProgramStatement> body;
};

struct Program {
  std::string name;  // of the file, for messages
  std::vector<ProgramLabel> labels;
  std::vector<ProgramTensor> tensors;
  std::vector<ProgramStatement> statements;
};

/// The labels and tensors with their shapes, then the statements, a line each.
std::ostream& operator<<(std::ostream&, const Program&);

}  // namespace ricci::notation
