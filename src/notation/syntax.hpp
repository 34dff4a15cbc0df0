#pragma once
// A program as it was written: a tree of plain values. Comments and blank lines are kept for the formatter. Where
// things stand does not count when trees are compared.
#include <string>
#include <variant>
#include <vector>

#include <ricci/symmetry.hpp>

#include "notation/place.hpp"
#include "notation/program.hpp"

namespace ricci::notation::syntax {

struct Name {
  std::string text;
  Where where = {};
  bool operator==(const Name&) const = default;
};

/// Whether a term began a line of its own; the formatter keeps such breaks. No part of what is said.
struct Break {
  bool here = false;
  bool operator==(const Break&) const { return true; }
};

struct Expression {
  enum class Kind {
    number,   // `name.text`, as written
    tensor,   // `name` under `labels`
    norm,     // of the tensor `name`
    conj,     // of the one operand
    negate,   // the one operand
    sum,      // two operands or more, each joined to those before by its `join`: + or -
    product,  // likewise: * or /
  };
  Kind kind = Kind::number;
  Name name = {};
  std::vector<Name> labels = {};
  std::vector<Expression> operands = {};
  Where where = {};

  // As an operand. Comments are kept at the terms of an assignment's right side only.
  char join = '+';  // of a first operand: not used
  Break line_break = {};
  std::vector<std::string> comments_before = {};  // on lines of their own
  std::string comment_after = {};                 // at the end of the line; of the last term it is the statement's

  bool operator==(const Expression&) const = default;
};

/// A comment on a line of its own.
struct Comment {
  std::string text;
  bool operator==(const Comment&) const = default;
};

/// `space NAME = VALUE`
struct SpaceDeclaration {
  Name name;
  Expression value;
  bool operator==(const SpaceDeclaration&) const = default;
};

/// `index NAMES : RANGE`
struct IndexDeclaration {
  std::vector<Name> names;
  Expression range;
  bool operator==(const IndexDeclaration&) const = default;
};

/// `symmetric(a,b)`, `complex`, …
struct Attribute {
  enum class Kind { symmetric, antisymmetric, hollow, complex, single, disk, sparse };
  Kind kind = Kind::complex;
  std::vector<Name> labels = {};  // of a symmetry
  Where where = {};
  bool operator==(const Attribute&) const = default;
};

/// `input`, `output` or `tensor`, NAME[labels], attributes, and where the elements come from or go to.
struct TensorDeclaration {
  Role role = Role::temporary;
  Name name = {};
  std::vector<Name> labels = {};
  std::vector<Attribute> attributes = {};
  Origin origin = Origin::none;
  std::string file = {};    // of an input with Origin::file, or of an output; empty: none
  std::string seed = {};    // of Origin::random, as written
  Where source_where = {};  // of the file or seed
  bool operator==(const TensorDeclaration&) const = default;
};

struct Assignment {
  Expression target;
  ProgramStatement::Kind kind = ProgramStatement::Kind::assign;  // or add, or subtract
  Expression right;
  bool operator==(const Assignment&) const = default;
};

struct Print {
  Expression value;
  bool operator==(const Print&) const = default;
};

struct Item;

/// `repeat TIMES { … }`, or `repeat until CONDITION < THRESHOLD max TIMES { … }`
struct Repeat {
  bool has_condition = false;
  Expression condition = {};
  Expression threshold = {};
  Expression times = {};
  std::vector<Item> body = {};
  std::string end_comment = {};  // after `}`
  bool operator==(const Repeat&) const;
};

/// What could not be read. Nothing is known about the names in it, so the binder says nothing about them either.
struct Broken {
  std::vector<std::string> names;
  bool operator==(const Broken&) const = default;
};

struct Item {
  std::variant<Comment, SpaceDeclaration, IndexDeclaration, TensorDeclaration, Assignment, Print, Repeat, Broken> what;
  Where where = {};
  bool blank_before = false;  // an empty line stands above it; never for the first of a block
  std::string comment = {};   // at the end of its line; of a `repeat`, of its first line
  bool operator==(const Item&) const = default;
};

inline bool Repeat::operator==(const Repeat& other) const {
  return has_condition == other.has_condition && condition == other.condition && threshold == other.threshold &&
         times == other.times && body == other.body && end_comment == other.end_comment;
}

struct Program {
  std::vector<Item> items;
  bool operator==(const Program&) const = default;
};

}  // namespace ricci::notation::syntax
