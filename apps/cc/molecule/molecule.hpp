#pragma once
// Nuclei and numbers of electrons.
#include <array>
#include <iosfwd>
#include <string>
#include <vector>

namespace cc {

inline constexpr double angstrom_per_bohr = 0.529177210903;  // CODATA 2018

struct Atom {
  int number = 0;
  std::array<double, 3> at = {};  // bohr
};

struct Molecule {
  std::vector<Atom> atoms;
  int charge = 0;
  int multiplicity = 1;

  int electrons() const;
  int alpha() const { return (electrons() + multiplicity - 1) / 2; }
  int beta() const { return (electrons() - multiplicity + 1) / 2; }
  double nuclear_repulsion() const;
  /// Doubly occupied orbitals of all atoms that are usually frozen.
  int core_orbitals() const;
  /// `H2 O1`, in the order of the elements.
  std::string formula() const;
};

/// From xyz text: the number of atoms, a comment, and a line `symbol x y z` (angstrom) for each atom. `name` stands for
/// the file in messages. InputError, with the line, for what cannot be read; for nuclei at one place; for numbers of
/// electrons that charge and multiplicity do not allow.
Molecule read_xyz(std::istream& in, const std::string& name, int charge, int multiplicity);
Molecule load_xyz(const std::string& path, int charge, int multiplicity);

}  // namespace cc
