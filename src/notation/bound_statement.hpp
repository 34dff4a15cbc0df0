#pragma once
// A statement whose labels have been checked against the shapes: all that a planner needs, and no data.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "symmetry/shape.hpp"
#include "util/element_type.hpp"

namespace ricci::notation {

using ShapePointer = std::shared_ptr<const symmetry::Shape>;

/// A tensor in a statement, as it was written.
struct WrittenTensor {
  ShapePointer shape;
  std::string_view labels;
  bool conjugate = false;
  bool is_output = false;  // the same tensor as the one assigned to
};

struct WrittenStatement {
  ElementType type = ElementType::f64;
  WrittenTensor output;
  bool overwrite = true;  // `=`; else `+=` or `-=`
  std::vector<std::vector<WrittenTensor>> terms;
};

struct BoundTensor {
  ShapePointer shape;
  std::vector<int> labels;  // one a mode, numbers into BoundStatement::label_names
  bool conjugate = false;
  bool is_output = false;
};

struct BoundStatement {
  ElementType type = ElementType::f64;
  BoundTensor output;
  bool overwrite = true;
  std::vector<std::vector<BoundTensor>> terms;
  std::vector<std::string> label_names;
  std::vector<std::int64_t> extents;  // of each label
};

/// InputError where a label has two extents, naming both operands.
BoundStatement bind(const WrittenStatement& written);

/// `"abij"` or, with long names, `"i1,i2,a"`.
std::string labels_text(const BoundStatement& statement, const std::vector<int>& labels);

}  // namespace ricci::notation
