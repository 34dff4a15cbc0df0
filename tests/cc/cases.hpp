#pragma once
// The molecules and energies of chemistry.json.
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "molecule/molecule.hpp"

struct Case {
  std::string name;
  cc::Molecule molecule;
  std::string basis;
  bool spherical = true;
  int frozen_core_orbitals = 0;
  std::map<std::string, double> energies;  ///< with the keys of the file, in Hartree
};

/// In the order of the file.
const std::vector<Case>& cases();
/// By name; fails the test program where there is none.
const Case& case_named(const std::string& name);
/// For the names of tests, which are letters and digits.
std::string test_name(const std::string& name);

/// What GoogleTest prints of a parameter.
inline void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
