#pragma once
// Right-hand sides as sums of products: over spin orbitals as they were written, then over blocks.
#include <string>
#include <vector>

#include "notation/program.hpp"

namespace ricci::spin {

/// The spin of each mode of a tensor: 'a' or 'b'; '.' where the mode is not of spin orbitals. Also of a tensor's block.
using Pattern = std::string;

struct Factor {
  int tensor = -1;
  std::vector<int> labels = {};  // of the program; in a block's term spin labels (below)
  Pattern pattern = {};          // in a block's term: which block of the tensor
  bool conjugate = false;
  bool divides = false;  // one over the tensor, element by element
  bool norm = false;     // of the tensor: a scalar, without labels
};

struct Term {
  double coefficient = 1;
  std::vector<Factor> factors = {};
  notation::Place place = {};  // of its first tensor
};

/// A label with its spin, in one number. A label of no spin counts as alpha.
inline int spin_label(int label, char spin) { return 2 * label + (spin == 'b' ? 1 : 0); }
inline int label_of(int spin_label) { return spin_label / 2; }
inline bool is_beta(int spin_label) { return spin_label % 2 == 1; }

/// All parentheses multiplied out; terms that are the number zero are left out. InputError where there would be more
/// than `most_terms`.
std::vector<Term> multiply_out(const notation::Program& program, const notation::ProgramExpression& expression);

inline constexpr std::size_t most_terms = 10'000;

}  // namespace ricci::spin
