#pragma once
// What `ricci cc` is told.
#include <string>

#include <CLI/CLI.hpp>

#include "methods/calculation.hpp"
#include "plan_options.hpp"

namespace cli {

struct CcArguments {
  std::string molecule, fcidump, basis, basis_file, method = "ccsd", equations, guess = "atoms";
  std::string frozen_core;  // as it was given
  bool freeze = false;
  bool cartesian = false, uhf = false, restart = false, timings = false;
  int charge = 0, multiplicity = 1, max_iterations = 100;
  double level_shift = 0, tolerance = 1e-8;
  std::string checkpoint, scratch, json, write_fcidump;
  PlanOptions plan;
};

void add_cc_options(CLI::App& verb, CcArguments& arguments);

/// What is wrong with the options by themselves, and with the places of files to write: it would be a pity to find out
/// in the end. InputError.
void check(CcArguments& arguments);

cc::BasisSet load_basis(const CcArguments& arguments, const cc::Molecule& molecule);

/// InputError for a method or guess that there is not, and for more frozen orbitals than leave anything to correlate.
cc::CalculationOptions to_calculation(const CcArguments& arguments, const cc::Molecule& molecule);
/// The same without a molecule, for --fcidump.
cc::CalculationOptions to_calculation(const CcArguments& arguments);

}  // namespace cli
