#pragma once
// What the papers call a spread: the class of each label (seed RRR, section II.D) and the algorithm that it amounts to.
#include <string>
#include <vector>

#include "plan/spread.hpp"

namespace ricci::planning {

/// Of a contracted label: DDA (its blocks are spread: partial sums are reduced), DDO (its blocks are serial, and both
/// operands are spread over it: panels of both are broadcast), SD (one of them is), SS. Of an external one: DE (its
/// blocks are spread), DC (they are serial, but an operand is spread over it: it comes round to everybody), S.
std::string class_of_label(const SpreadProblem& problem, const Spread& spread, int label);

/// `SUMMA, C stays`, `2.5D`, `rows of A stay` and the like; with `CAST` where packed groups are broken up on the way,
/// and after `desymmetrise, then` where operands are unpacked before.
std::string name_of_algorithm(const SpreadProblem& problem, const Spread& spread);

}  // namespace ricci::planning
