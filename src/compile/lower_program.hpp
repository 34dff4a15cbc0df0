#pragma once
// From a program as it was written to operations on arrays.
#include "compile/formula.hpp"
#include "notation/program.hpp"

namespace ricci::compile {

/// Every right-hand side multiplied out into products (semantics.md: "sums in parentheses are multiplied out"), with
/// quotients and norms as operations of their own. Nothing is made cheaper yet. InputError where a product of sums
/// would come to more than these numbers.
Formula lower_program(const notation::Program& program);

inline constexpr std::size_t most_terms = 10'000;  // of a sum
inline constexpr std::size_t most_factors = 30;    // of a product
inline constexpr std::size_t most_labels = 64;     // of a product and its output

}  // namespace ricci::compile
