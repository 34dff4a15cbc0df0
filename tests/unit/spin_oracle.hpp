#pragma once
// Programs run as semantics.md defines them, on dense arrays: to hold the program over blocks against the one over spin
// orbitals. It shares the reading of programs with the library, and nothing else.
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <ricci/spin.hpp>

#include "notation/program.hpp"

namespace ricci::spin::oracle {

struct Dense {
  std::vector<std::int64_t> extents;
  std::vector<long double> values;  // unpacked, row-major
};

struct Result {
  std::map<std::string, Dense> tensors;
  std::vector<long double> printed;
  long double largest = 1;  // of all products that were added up, at least 1: rounding is in proportion to it
};

/// `inputs` stand for all that the program's inputs say of their elements. Real tensors only.
Result run(const notation::Program& program, const std::map<std::string, Dense>& inputs);

/// Alpha orbitals come first in each space of spin orbitals. The inputs have their symmetries, and elements for the
/// spins only that the options, or the rule of <ricci/spin.hpp>, give them.
std::map<std::string, Dense> random_inputs(const notation::Program& program, const SpinOptions& options,
                                           std::mt19937& random);

/// Runs the program over spin orbitals and the one that spin_integrated makes of it on the same random inputs, and
/// expects the same of every block of every tensor, and zero in each block of an output that is not there.
/// `squared`: which of the printed values are squares in the one over blocks.
void expect_same(const std::string& text, const SpinOptions& options, unsigned seed,
                 const std::vector<bool>& squared = {});

}  // namespace ricci::spin::oracle
