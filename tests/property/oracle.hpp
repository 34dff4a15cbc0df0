#pragma once
// The meaning of an indexed assignment, computed as it is defined: a plain loop over every value of every label, then
// the sum over the cosets of the output's symmetry. Slow, and sharing no code with the library.
#include <complex>
#include <cstdint>
#include <vector>

#include "statement.hpp"

namespace ricci_test {

using Number = std::complex<long double>;
using DenseTensor = std::vector<Number>;  ///< unpacked, row-major

/// Values in [-1, 1) that every element type holds exactly, with the tensors' symmetries; one tensor each.
std::vector<DenseTensor> random_data(const Statement& statement);

struct Expected {
  DenseTensor values;
  /// For each element the sum of the absolute values of all that is added up in it.
  std::vector<long double> magnitude;
  /// The most numbers that are added up in one element.
  long double summands = 0;
};

/// What the output holds afterwards.
Expected evaluate(const Statement& statement, const std::vector<DenseTensor>& data);

/// The error that sums in a type with this epsilon may have at an element.
long double tolerance(const Expected& expected, std::size_t element, long double epsilon);

}  // namespace ricci_test
