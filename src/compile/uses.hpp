#pragma once
#include <vector>

#include "compile/formula.hpp"

namespace ricci::compile {

/// How often operations read and write an array, those of loops within included.
struct Uses {
  int reads = 0;  // by all but norms
  int norms = 0;
  int writes = 0;
};

Uses uses_of(const std::vector<Operation>& operations, int array);

}  // namespace ricci::compile
