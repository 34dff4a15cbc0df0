#include "basis/basis_set.hpp"

#include <fstream>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "basis/basis_files.hpp"
#include "basis/gaussian94.hpp"
#include "molecule/element.hpp"

namespace cc {
namespace {

bool is_path(const std::string& text) { return text.find('/') != std::string::npos || text.ends_with(".gbs"); }

void check_elements(const ElementShells& elements, const Molecule& molecule, const std::string& path) {
  std::set<int> missing;
  for (const Atom& atom : molecule.atoms) {
    if (!elements.contains(atom.number)) missing.insert(atom.number);
  }
  if (missing.empty()) return;
  std::vector<std::string_view> symbols;
  for (const int number : missing) symbols.push_back(element_symbol(number));
  throw ricci::InputError(
      fmt::format("{} has no functions for {}; take another basis set", path, fmt::join(symbols, ", ")));
}

}  // namespace

int functions_of(const Shell& shell, bool spherical) {
  return spherical ? 2 * shell.l + 1 : (shell.l + 1) * (shell.l + 2) / 2;
}

int BasisSet::functions() const {
  int sum = 0;
  for (const Shell& shell : shells) sum += functions_of(shell, spherical);
  return sum;
}

std::vector<int> BasisSet::first_functions() const {
  std::vector<int> first;
  int next = 0;
  for (const Shell& shell : shells) {
    first.push_back(next);
    next += functions_of(shell, spherical);
  }
  return first;
}

BasisSet load_basis(const std::string& name_or_path, const Molecule& molecule, bool spherical) {
  const std::string path = is_path(name_or_path) ? name_or_path : basis_file(name_or_path);
  std::ifstream in(path);
  if (!in) throw ricci::InputError(fmt::format("cannot read {}", path));
  const ElementShells elements = read_gaussian94(in, path);
  check_elements(elements, molecule, path);
  BasisSet basis{.name = name_or_path, .spherical = spherical, .shells = {}};
  for (std::size_t a = 0; a < molecule.atoms.size(); ++a) {
    for (Shell shell : elements.at(molecule.atoms[a].number)) {
      shell.atom = static_cast<int>(a);
      basis.shells.push_back(std::move(shell));
    }
  }
  return basis;
}

}  // namespace cc
