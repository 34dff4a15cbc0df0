#include "cc_arguments.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include <ricci/error.hpp>

namespace cli {
namespace {

bool is_count(const std::string& text) {
  return !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos;
}

void check_place(const std::string& option, const std::string& path) {
  if (path.empty()) return;
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  const bool writable = fs::exists(path, none) ? !fs::is_directory(path, none) && ::access(path.c_str(), W_OK) == 0
                                               : fs::is_directory(folder, none) && ::access(folder.c_str(), W_OK) == 0;
  if (!writable) throw ricci::InputError(fmt::format("{} {}: cannot be written", option, path));
}

cc::Guess guess_of(const std::string& name) {
  if (name == "atoms") return cc::Guess::atoms;
  if (name == "core") return cc::Guess::core;
  throw ricci::InputError(fmt::format("--guess {}: there are atoms and core", name));
}

/// At least one electron has to be left, and a frozen orbital has two.
int frozen_orbitals(const CcArguments& arguments, const cc::Molecule& molecule) {
  if (!arguments.freeze) return 0;
  const int frozen = arguments.frozen_core.empty() ? molecule.core_orbitals() : std::stoi(arguments.frozen_core);
  const int most = std::min(molecule.alpha() - 1, molecule.beta());
  if (frozen > most)
    throw ricci::InputError(
        fmt::format("--frozen-core {}: {} has {} alpha and {} beta electrons, of which some have to stay: freeze at "
                    "most {} orbitals",
                    frozen, molecule.formula(), molecule.alpha(), molecule.beta(), std::max(most, 0)));
  return frozen;
}

void add_molecule_options(CLI::App& verb, CcArguments& arguments) {
  auto* const molecule = verb.add_option("MOLECULE", arguments.molecule, "an xyz file, in angstrom");  // see check()
  verb.add_option("--fcidump", arguments.fcidump, "a Hamiltonian, in place of a molecule and a basis set")
      ->excludes(molecule)
      ->type_name("FILE");
  auto* const basis = verb.add_option("--basis", arguments.basis, "a basis set by name: cc-pvdz")->type_name("NAME");
  verb.add_option("--basis-file", arguments.basis_file, "a basis set in Gaussian94 format")
      ->excludes(basis)
      ->type_name("FILE");
  verb.add_flag("--cartesian", arguments.cartesian, "6 d functions, 10 f, ... instead of 5, 7, ...");
  verb.add_option("--charge", arguments.charge, "of the molecule; 0 by default")->type_name("Q");
  verb.add_option("--multiplicity", arguments.multiplicity, "2S + 1; 1 by default")->type_name("M");
}

void add_method_options(CLI::App& verb, CcArguments& arguments) {
  auto* const method =
      verb.add_option("--method", arguments.method, "scf, mp2, ccd, ccsd (by default) or 'ccsd(t)'")->type_name("NAME");
  verb.add_option("--equations", arguments.equations,
                  "a file with the equations of a method of your own (docs/methods.md)")
      ->excludes(method)
      ->type_name("FILE");
  verb.add_flag("--uhf", arguments.uhf, "alpha and beta orbitals of their own, for singlets, too");
  verb.add_option_function<std::string>(
          "--frozen-core",
          [&arguments](const std::string& number) {
            arguments.freeze = true;
            arguments.frozen_core = number;
          },
          "leave the lowest N orbitals uncorrelated; without a number those of noble gas cores")
      ->expected(0, 1)
      ->type_name("[N]");
  verb.add_option("--guess", arguments.guess, "of the density: atoms (by default) or core")->type_name("NAME");
  verb.add_option("--level-shift", arguments.level_shift, "Hartree, added to virtual orbitals until SCF has converged")
      ->check(CLI::NonNegativeNumber)
      ->type_name("X");
  verb.add_option("--max-iterations", arguments.max_iterations, "of SCF, and of the amplitudes; 100 by default")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  verb.add_option("--tolerance", arguments.tolerance,
                  "of the amplitudes' residual and of the energy's change, 1e-8 by default")
      ->check(CLI::PositiveNumber)
      ->type_name("X");
}

}  // namespace

void add_cc_options(CLI::App& verb, CcArguments& arguments) {
  add_molecule_options(verb, arguments);
  add_method_options(verb, arguments);
  auto* const checkpoint =
      verb.add_option("--checkpoint", arguments.checkpoint, "keep the amplitudes here after every iteration")
          ->type_name("DIR");
  verb.add_flag("--restart", arguments.restart, "begin with the amplitudes of the checkpoint")->needs(checkpoint);
  verb.add_option("--scratch", arguments.scratch, "where scratch directories are made; else $TMPDIR, else here")
      ->type_name("DIR");
  verb.add_option("--write-fcidump", arguments.write_fcidump, "write the Hamiltonian in RHF orbitals to this file")
      ->type_name("FILE");
  verb.add_flag("--timings", arguments.timings, "what each contraction took, and what was predicted");
  verb.add_option("--json", arguments.json, "write the results for other programs to this file")->type_name("FILE");
  add_plan_options(verb, arguments.plan);
  verb.get_option("--verbose")->description("tell on standard error what is begun");
  verb.add_flag("--no-progress", arguments.plan.no_progress, "do not tell how far long steps have got");
  for (const char* of_molecules : {"--basis", "--basis-file", "--cartesian", "--charge", "--multiplicity", "--uhf",
                                   "--guess", "--level-shift", "--write-fcidump"})
    verb.get_option("--fcidump")->excludes(verb.get_option(of_molecules));
}

void check(CcArguments& arguments) {
  check_place("--json", arguments.json);
  if (!arguments.fcidump.empty()) {
    if (arguments.freeze && !is_count(arguments.frozen_core))
      throw ricci::InputError(fmt::format(
          "--frozen-core{}{}: give a number of orbitals: without a molecule it is not known which are usual",
          arguments.frozen_core.empty() ? "" : " ", arguments.frozen_core));
    return;
  }
  check_place("--write-fcidump", arguments.write_fcidump);
  if (!arguments.frozen_core.empty() && !is_count(arguments.frozen_core)) {
    // `--frozen-core water.xyz`: the option comes without its number, and this is the molecule.
    if (!arguments.molecule.empty())
      throw ricci::InputError(
          fmt::format("--frozen-core {}: give a number of orbitals, or none", arguments.frozen_core));
    std::swap(arguments.molecule, arguments.frozen_core);
  }
  if (arguments.molecule.empty())
    throw ricci::InputError("name the xyz file of a molecule: ricci cc water.xyz ..., or --fcidump FILE");
  if (arguments.basis.empty() && arguments.basis_file.empty())
    throw ricci::InputError("choose a basis set: --basis cc-pvdz, or --basis-file FILE");
}

cc::BasisSet load_basis(const CcArguments& arguments, const cc::Molecule& molecule) {
  if (arguments.basis_file.empty()) return cc::load_basis(arguments.basis, molecule, !arguments.cartesian);
  // A slash tells a file from a name.
  const bool has_slash = arguments.basis_file.find('/') != std::string::npos;
  return cc::load_basis((has_slash ? "" : "./") + arguments.basis_file, molecule, !arguments.cartesian);
}

cc::CalculationOptions to_calculation(const CcArguments& arguments, const cc::Molecule& molecule) {
  cc::CalculationOptions options = to_calculation(arguments);
  options.frozen_core = frozen_orbitals(arguments, molecule);
  options.fcidump = arguments.write_fcidump;
  options.scf.unrestricted = arguments.uhf;
  options.scf.max_iterations = arguments.max_iterations;
  options.scf.level_shift = arguments.level_shift;
  options.scf.guess = guess_of(arguments.guess);
  return options;
}

cc::CalculationOptions to_calculation(const CcArguments& arguments) {
  cc::CalculationOptions options;
  options.method = arguments.equations.empty() ? cc::method_of(arguments.method) : cc::Method::equations;
  options.equations = arguments.equations;
  if (arguments.freeze && !arguments.frozen_core.empty()) options.frozen_core = std::stoi(arguments.frozen_core);
  options.max_iterations = arguments.max_iterations;
  options.residual_threshold = arguments.tolerance;
  options.energy_threshold = arguments.tolerance;
  options.scratch = arguments.scratch;
  options.checkpoint = arguments.checkpoint;
  options.restart = arguments.restart;
  return options;
}

}  // namespace cli
