#pragma once
// Operation minimisation: products of several factors become trees of binary contractions of least flops, and what has
// been computed before, or need not be computed in every pass of a loop, is not computed again.
#include "compile/formula.hpp"

namespace ricci::compile {

/// Terms of at most two factors, with intermediates for the rest:
///  - each term in its cheapest order (product_order), with what the symmetries save;
///  - a product that was computed before from the same values is taken from there, whatever its labels are called and
///    in whatever order symmetric ones stand (product_key);
///  - a product of things that a loop does not change is computed before the loop.
/// The value of every tensor of the program stays what it was, and so does its symmetry (H of semantics.md).
Formula minimise_operations(const Formula& formula);

}  // namespace ricci::compile
