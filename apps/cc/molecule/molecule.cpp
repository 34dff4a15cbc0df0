#include "molecule/molecule.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "molecule/element.hpp"

namespace cc {

int Molecule::electrons() const {
  int sum = -charge;
  for (const Atom& atom : atoms) sum += atom.number;
  return sum;
}

double Molecule::nuclear_repulsion() const {
  double energy = 0;
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double distance =
          std::hypot(atoms[a].at[0] - atoms[b].at[0], atoms[a].at[1] - atoms[b].at[1], atoms[a].at[2] - atoms[b].at[2]);
      energy += atoms[a].number * atoms[b].number / distance;
    }
  }
  return energy;
}

int Molecule::core_orbitals() const {
  int sum = 0;
  for (const Atom& atom : atoms) sum += cc::core_orbitals(atom.number);
  return sum;
}

std::string Molecule::formula() const {
  std::map<int, int> counts;
  for (const Atom& atom : atoms) ++counts[atom.number];
  std::string text;
  for (const auto& [number, count] : counts)
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", element_symbol(number), count);
  return text;
}

}  // namespace cc
