#pragma once
// Runs an operation block by block, as it was planned.
#include "compile/blocked_operation.hpp"
#include "program/array_store.hpp"

namespace ricci::program {

/// While a block is multiplied, those of the next product are read. The array gets its new value when all of it is
/// there: its old one may be read until then. Collective.
void run_blocked(const compile::BlockedOperation& operation, ArrayStore& store);

/// The operation copies an array; its elements are inverted.
void invert_blocked(const compile::BlockedOperation& operation, ArrayStore& store);

/// The operation adds up the squares of an array: its product with itself.
double norm_blocked(const compile::BlockedOperation& operation, ArrayStore& store);

}  // namespace ricci::program
