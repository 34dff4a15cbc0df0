#include "molecule/element.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace cc {
namespace {

constexpr std::array<std::string_view, last_element + 1> symbols = {
    "",  "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl", "Ar",
    "K", "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr"};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

int atomic_number(std::string_view symbol) {
  for (int number = 1; number <= last_element; ++number) {
    if (same_letters(symbol, symbols[static_cast<std::size_t>(number)])) return number;
  }
  return 0;
}

std::string_view element_symbol(int number) { return symbols.at(static_cast<std::size_t>(number)); }

int core_orbitals(int number) {
  if (number <= 2) return 0;
  if (number <= 10) return 1;
  if (number <= 18) return 5;
  return 9;
}

}  // namespace cc
