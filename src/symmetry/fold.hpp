#pragma once
// How the symmetries of C[lc] += A[la] · B[lb] fold its index space: which labels run together as sorted tuples, and
// which permuted readings of the operands are summed so that nothing else has to be.
//
// Three rewritings, each exact (planner.md, "Symmetrise operands, not products"):
//  - labels of one group of C that come from one operand: P(A·B) = (PA)·B, so A is read as the sum over the cosets
//    of Sym(labels) by what symmetry A has there, and only sorted tuples are run;
//  - contracted labels in one group of one operand: only the part of the other with that symmetry counts, and
//      Σ_all A·B = Σ_sorted A · (|H| / Π m_v!) Σ_{g in Sym/H} χ(g) B∘g ,
//    H: the symmetry that B has by itself, m_v: how often the value v stands in the tuple;
//  - labels of one group of C that come from different operands: every combination is computed once and added at
//    its sorted place with its sign and weight (Output below).
#include <cstdint>
#include <vector>

#include "symmetry/shape.hpp"

namespace ricci::symmetry {

/// A tensor as it stands in a statement: one label (a small number) a mode; a label may stand twice.
struct Labelled {
  const Shape* shape = nullptr;
  std::vector<int> labels;
};

/// Where a label stands. `row`: in A and C; `column`: in B and C, or in C alone; `summed`: in A or B, not in C;
/// `batch`: in all three.
enum class Role { row, column, summed, batch };

/// One loop of the folded index space: a label by itself, or several that run as sorted tuples.
struct Unit {
  std::vector<int> labels;
  Role role = Role::row;
  std::int64_t extent = 0;      // of each label
  bool strict = false;          // tuples: i1 < i2 < … rather than <=
  bool shares_repeats = false;  // a tuple is weighted with 1 / Π m_v!
  std::int64_t size = 0;        // values of the loop
  int degree() const { return static_cast<int>(labels.size()); }
};

/// One reading of an operand: where the statement says label l, the index of label substitute[l] is used.
struct Reading {
  std::vector<int> substitute;
  int sign = 1;
};

struct Fold {
  std::vector<Unit> units;
  std::vector<Reading> a_readings, b_readings;  // summed; b_readings is empty without B
  double scale = 1;                             // the constant part of the weights
  bool vanishes = false;                        // the symmetries make the term zero
  bool covers = true;                           // every unique element of C is written exactly once

  std::int64_t size(Role role) const;
  /// Multiply-adds that are really done.
  double products() const;
};

/// `b` may be null (shape == nullptr). `extents`: for each label.
Fold fold(const Labelled& c, const Labelled& a, const Labelled& b, const std::vector<std::int64_t>& extents);

/// For each of some labels, which block of the operand's own symmetry it belongs to: equal numbers for labels that the
/// operand has in one group.
std::vector<int> own_blocks(const Labelled& tensor, const std::vector<int>& labels);

/// The symmetry that a product has by the rule of semantics.md (H): groups of `labels` such that every factor that
/// contains one of two labels contains both, once each, in one group; with the product of the signs.
Symmetry inherited_symmetry(const std::vector<Labelled>& factors, const std::vector<int>& labels);

}  // namespace ricci::symmetry
