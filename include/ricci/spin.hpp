#pragma once
// Programs over spin orbitals as programs over alpha and beta orbitals.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ricci {

/// The two spaces that a space of spin orbitals parts into.
struct SpinSpace {
  std::int64_t alpha_extent = 0, beta_extent = 0;
  /// Names of the spaces; empty: that of the space of spin orbitals with `_a` and `_b`.
  std::string alpha = {}, beta = {};
};

struct SpinOptions {
  /// Which spaces of the program are of spin orbitals.
  std::map<std::string, SpinSpace> spaces;
  /// Tensors whose blocks are not those of the rule below: `{"S", {"ab", "ba"}}`; one letter for each mode of spin
  /// orbitals, `a`, `b`, or `*` for either. For inputs and outputs this says what they may hold.
  std::map<std::string, std::vector<std::string>> patterns = {};
};

/// The text of a program that does the same for each spin on its own: the statements over spin orbitals become
/// statements over the blocks of tensors that can be other than zero, with packed symmetry.
///
/// - A block is named by the spins of its modes, those of no spin left out: `T2_abab[a,b',i,j']`. An index of beta
///   orbitals gets a prime. In each group of a symmetry alpha stands before beta, and modes of one spin keep what they
///   have of the group; the elements of all other blocks follow from these.
/// - An input or output of an even number of spin modes has the blocks with as many alpha among the first half of these
///   modes as among the second, one of a single spin mode has both, and others need `patterns`. All other tensors have
///   the blocks that their assignments can make other than zero and that are read.
/// - A file `A.h5:/T` becomes `A.h5:/T_abab`, and `A.npy` becomes `A_abab.npy`. The blocks of an input with
/// random(SEED)
///   are random themselves, the n-th of all that there could be with SEED + 1000003 n: not the blocks of what
///   random(SEED) gives, which conserves no spin.
/// - The norm of a tensor of several blocks has no root in the language: `print norm(T)` prints the sum of its squares,
///   and `until norm(R) < 1e-8` compares that with 1e-16.
///
/// ProgramError where the text is no program, where an output would get elements in blocks that it does not have, or
/// where something cannot be said of the blocks; InputError where the options do not fit the program.
std::string spin_integrated(std::string_view text, const std::string& name, const SpinOptions& options);

}  // namespace ricci
