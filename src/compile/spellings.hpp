#pragma once
// The ways to write one and the same factor: labels of a symmetric group may change places.
#include <vector>

#include "compile/formula.hpp"

namespace ricci::compile {

struct Spelling {
  std::vector<int> labels;
  int sign = 1;  // of the factor as it was written, relative to this
};

/// The labels as they stand, then all their permutations within groups.
std::vector<Spelling> spellings(const std::vector<int>& labels, const symmetry::Shape& shape);

double spelling_count(const symmetry::Shape& shape);

}  // namespace ricci::compile
