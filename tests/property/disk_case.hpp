#pragma once
// Arrays of a formula on disk, put there and read again by tests.
#include <vector>

#include "formula_case.hpp"
#include "program/array_store.hpp"

namespace ricci_test {

/// A program that declares the arrays of a formula, as inputs that are zero: a test fills them.
ricci::notation::Program declarations(const ricci::compile::Formula& formula);

/// Puts an array on disk in blocks of these tiles.
void put_on_disk(ricci::program::ArrayStore& store, int array, const DenseTensor& values,
                 const std::vector<std::int64_t>& tile);

/// All of an array, unpacked.
std::vector<double> from_disk(ricci::program::ArrayStore& store, int array);

}  // namespace ricci_test
