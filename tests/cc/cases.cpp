#include "cases.hpp"

#include <cctype>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "molecule/element.hpp"

namespace {

Case read_case(const nlohmann::json& from) {
  Case one;
  one.name = from.at("name");
  for (const auto& atom : from.at("geometry_bohr"))
    one.molecule.atoms.push_back(
        {.number = cc::atomic_number(atom.at(0).get<std::string>()),
         .at = {atom.at(1).get<double>(), atom.at(2).get<double>(), atom.at(3).get<double>()}});
  one.molecule.charge = from.at("charge");
  one.molecule.multiplicity = from.at("multiplicity");
  one.basis = from.at("basis");
  one.spherical = from.at("spherical");
  one.frozen_core_orbitals = from.at("frozen_core_orbitals");
  one.energies = from.at("energies").get<std::map<std::string, double>>();
  return one;
}

}  // namespace

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::ifstream in(RICCI_CC_TESTS "/chemistry.json");
    std::vector<Case> read;
    const nlohmann::json file = nlohmann::json::parse(in);
    for (const auto& one : file.at("cases")) read.push_back(read_case(one));
    return read;
  }();
  return all;
}

const Case& case_named(const std::string& name) {
  for (const Case& one : cases()) {
    if (one.name == name) return one;
  }
  throw std::out_of_range("chemistry.json has no case " + name);
}

std::string test_name(const std::string& name) {
  std::string text;
  for (const unsigned char c : name) text += std::isalnum(c) ? static_cast<char>(c) : '_';
  return text;
}
