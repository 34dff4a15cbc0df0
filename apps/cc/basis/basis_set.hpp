#pragma once
// The functions that orbitals are made of.
#include <string>
#include <vector>

#include "molecule/molecule.hpp"

namespace cc {

/// Contracted Gaussians of one angular momentum at one atom. The coefficients are of normalised primitives; the
/// contraction is normalised where integrals are made.
struct Shell {
  int atom = 0;
  int l = 0;
  std::vector<double> exponents, coefficients;
};

/// 2l + 1 spherical functions, or (l + 1)(l + 2) / 2 Cartesian ones.
int functions_of(const Shell& shell, bool spherical);

struct BasisSet {
  std::string name;
  bool spherical = true;
  std::vector<Shell> shells;  ///< in the order of the atoms

  int functions() const;
  /// The first function of each shell.
  std::vector<int> first_functions() const;
};

/// By name, in any case (`cc-pVDZ`, `6-31+G**`, `6-31G(d,p)`, `def2-SV(P)`), from the files that come with the program;
/// or a file in Gaussian94 format, which is what a name with a `/` or with `.gbs` at its end means. InputError for a
/// name that there is not (with those that there are), for a file that cannot be read or understood (`file:line: ...`),
/// and for elements that it lacks.
BasisSet load_basis(const std::string& name_or_path, const Molecule& molecule, bool spherical);

}  // namespace cc
