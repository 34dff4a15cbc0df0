#pragma once
// Which labels and modes of a program are of spin orbitals, and which blocks its tensors can have.
#include <cstdint>
#include <string>
#include <vector>

#include <ricci/spin.hpp>
#include <ricci/symmetry.hpp>

#include "notation/diagnostic.hpp"
#include "spin/terms.hpp"

namespace ricci::spin {

struct SpinTensors {
  const notation::Program* program = nullptr;
  std::vector<bool> label_has_spin;                // of each label
  std::vector<std::vector<SymmetryGroup>> groups;  // of each tensor: those of its spin modes

  /// '.' for every mode.
  Pattern no_pattern(int tensor) const;
  bool has_spin(int tensor, int mode) const;
  bool has_spin(int tensor) const;
};

/// Reports labels that stand for modes of another space where either has spin, and groups over several spaces.
SpinTensors find_spins(const notation::Program& program, const SpinOptions& options,
                       notation::Diagnostics& diagnostics);

/// A block as one in which alpha stands before beta in each group: T(x) = sign · T'(x'), where mode m of T' has the
/// label that mode from[m] of T has.
struct Canonical {
  Pattern pattern;
  std::vector<int> from;
  int sign = 1;
};
Canonical canonical(const SpinTensors& spins, int tensor, const Pattern& pattern);

/// All of a tensor, in order: alpha before beta.
std::vector<Pattern> all_patterns(const SpinTensors& spins, int tensor);
std::vector<Pattern> canonical_patterns(const SpinTensors& spins, int tensor);

/// How many blocks of the tensor have the elements of this one, up to signs.
std::int64_t multiplicity(const SpinTensors& spins, int tensor, const Pattern& pattern);

/// The spins without the modes that have none: `abab`.
std::string letters(const Pattern& pattern);
/// `T2_abab`; the tensor's name where it has no spin.
std::string block_name(const SpinTensors& spins, int tensor, const Pattern& pattern);

/// As many alpha in the first half of the spin modes as in the second.
bool is_balanced(const Pattern& pattern);

/// The symmetry group that has both modes; nullptr where none has.
const SymmetryGroup* common_group(const std::vector<SymmetryGroup>& groups, int mode, int other);

/// The sign of a permutation of 0, 1, 2, ….
int sign_of(const std::vector<int>& permutation);

}  // namespace ricci::spin
