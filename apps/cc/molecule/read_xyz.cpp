#include <cmath>
#include <fstream>
#include <istream>
#include <sstream>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "molecule/element.hpp"
#include "molecule/molecule.hpp"

namespace cc {
namespace {

class XyzReader {
 public:
  XyzReader(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  std::vector<Atom> run() {
    const long count = count_of_atoms();
    next_line("a comment");
    std::vector<Atom> atoms;
    while (static_cast<long>(atoms.size()) < count) {
      if (!next_line(fmt::format("atom {} of {}", atoms.size() + 1, count))) continue;
      atoms.push_back(atom());
    }
    while (std::getline(in_, line_)) {
      ++number_;
      if (line_.find_first_not_of(" \t\r") != std::string::npos)
        fail(fmt::format("there is more after the {} atoms that the first line announces", count));
    }
    return atoms;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ricci::InputError(fmt::format("{}:{}: {}", name_, number_, what));
  }

  bool next_line(const std::string& wanted) {
    ++number_;
    if (!std::getline(in_, line_)) fail(fmt::format("the file ends where {} should stand", wanted));
    return true;
  }

  long count_of_atoms() {
    next_line("the number of atoms");
    std::istringstream words(line_);
    long count = 0;
    std::string rest;
    if (!(words >> count) || (words >> rest) || count < 1)
      fail(fmt::format("the first line of an xyz file is the number of atoms, not \"{}\"", line_));
    return count;
  }

  Atom atom() const {
    std::istringstream words(line_);
    std::string symbol, x, y, z, rest;
    if (!(words >> symbol >> x >> y >> z) || (words >> rest))
      fail(fmt::format("an atom is `symbol x y z`, in angstrom, not \"{}\"", line_));
    Atom atom{.number = atomic_number(symbol)};
    if (atom.number == 0) fail(fmt::format("there is no element {} among H to Kr", symbol));
    const std::string* const texts[] = {&x, &y, &z};
    for (int d = 0; d < 3; ++d) atom.at[static_cast<std::size_t>(d)] = coordinate(*texts[d]) / angstrom_per_bohr;
    return atom;
  }

  double coordinate(const std::string& text) const {
    std::size_t used = 0;
    double value = 0;
    try {
      value = std::stod(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != text.size() || !std::isfinite(value)) fail(fmt::format("{} is no coordinate", text));
    return value;
  }

  std::istream& in_;
  const std::string& name_;
  std::string line_;
  long number_ = 0;
};

void check_nuclei(const Molecule& molecule, const std::string& name) {
  for (std::size_t a = 0; a < molecule.atoms.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto &p = molecule.atoms[a].at, &q = molecule.atoms[b].at;
      if (std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < 1e-3)
        throw ricci::InputError(fmt::format("{}: atoms {} and {} are at the same place", name, b + 1, a + 1));
    }
  }
}

void check_electrons(const Molecule& molecule) {
  const int electrons = molecule.electrons();
  if (electrons < 1)
    throw ricci::InputError(
        fmt::format("--charge {} leaves {} with {} electrons", molecule.charge, molecule.formula(), electrons));
  if (molecule.multiplicity < 1) throw ricci::InputError("--multiplicity is 2S + 1: 1, 2, 3, ...");
  if ((electrons + molecule.multiplicity) % 2 == 0 || molecule.multiplicity > electrons + 1)
    throw ricci::InputError(fmt::format("{} electrons cannot have multiplicity {}: it has to be {}, and at most {}",
                                        electrons, molecule.multiplicity, electrons % 2 == 0 ? "odd" : "even",
                                        electrons + 1));
}

}  // namespace

Molecule read_xyz(std::istream& in, const std::string& name, int charge, int multiplicity) {
  Molecule molecule{.atoms = XyzReader(in, name).run(), .charge = charge, .multiplicity = multiplicity};
  check_nuclei(molecule, name);
  check_electrons(molecule);
  return molecule;
}

Molecule load_xyz(const std::string& path, int charge, int multiplicity) {
  std::ifstream in(path);
  if (!in) throw ricci::InputError(fmt::format("cannot read {}", path));
  return read_xyz(in, path, charge, multiplicity);
}

}  // namespace cc
