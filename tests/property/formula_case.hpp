#pragma once
// Formulas of the compiler, evaluated operation by operation with the oracle.
#include <cstdint>
#include <vector>

#include "compile/formula.hpp"
#include "oracle.hpp"

namespace ricci_test {

/// A short program without loops on tensors of extents 1 to 3, in which factors come again: under other labels, in
/// other orders, in several statements.
ricci::compile::Formula random_formula(std::uint64_t seed);

/// What every array holds in the end; those of the program begin with random values that keep their symmetries.
/// Intermediates are left out. The first 15 labels are those of three spaces, five each, of one extent a space.
std::vector<DenseTensor> evaluate(const ricci::compile::Formula& formula, std::uint64_t seed);

}  // namespace ricci_test
