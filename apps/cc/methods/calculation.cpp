#include "methods/calculation.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "integrals/two_electron.hpp"
#include "methods/closed_shell.hpp"
#include "methods/from_fcidump.hpp"
#include "methods/stages.hpp"
#include "methods/to_fcidump.hpp"
#include "methods/unrestricted.hpp"
#include "transform/mo_integrals.hpp"

namespace cc {

namespace {

constexpr std::pair<Method, const char*> method_names[] = {{Method::scf, "scf"},
                                                           {Method::mp2, "mp2"},
                                                           {Method::ccd, "ccd"},
                                                           {Method::ccsd, "ccsd"},
                                                           {Method::ccsd_t, "ccsd(t)"}};

void check(const Molecule& molecule, const CalculationOptions& options) {
  const int most = std::min(molecule.alpha(), molecule.beta());
  if (options.method != Method::scf && (options.frozen_core < 0 || options.frozen_core > most))
    throw ricci::InputError(fmt::format("--frozen-core {}: {} has {} doubly occupied orbitals", options.frozen_core,
                                        molecule.formula(), most));
}

void check_dump(const Molecule& molecule, const CalculationOptions& options) {
  if (options.fcidump.empty()) return;
  if (molecule.multiplicity != 1 || options.scf.unrestricted)
    throw ricci::InputError(
        "--write-fcidump: such a file has the integrals of restricted orbitals; there are none of open shells, nor "
        "with "
        "--uhf");
  if (options.frozen_core < 0 || options.frozen_core > molecule.beta())
    throw ricci::InputError(fmt::format("--frozen-core {}: {} has {} doubly occupied orbitals", options.frozen_core,
                                        molecule.formula(), molecule.beta()));
}

/// Without the frozen orbitals.
ClosedShellReference reference_of(const ScfResult& scf, ricci::Tensor<double> ao, int frozen_core) {
  const Eigen::MatrixXd orbitals = scf.alpha.rightCols(scf.alpha.cols() - frozen_core);
  return {transformed(ao, orbitals, orbitals), scf.alpha_energies.tail(orbitals.cols()),
          scf.alpha_electrons - frozen_core};
}

/// A dump that has all but the integrals over two electrons, `mo`.
void write(const std::string& path, Fcidump& dump, ricci::Tensor<double>& mo) {
  std::swap(dump.two_electron, mo);
  write_fcidump(path, dump);
  std::swap(dump.two_electron, mo);
}

/// `stages` has to stay as long as they are used.
CorrelationOptions correlation_options(const ricci::World& world, const CalculationOptions& options, Stages& stages) {
  CorrelationOptions correlation;
  correlation.solve.max_iterations = options.max_iterations;
  correlation.solve.energy_threshold = options.energy_threshold;
  correlation.solve.residual_threshold = options.residual_threshold;
  correlation.solve.plan = world.options();
  correlation.solve.scratch = options.scratch;
  correlation.solve.report = options.cc_report;
  correlation.checkpoint = options.checkpoint;
  correlation.restart = options.restart;
  correlation.stage = [&stages](const std::string& stage) { stages.begin(stage); };
  correlation.progress = options.progress;
  return correlation;
}

double correlation_of(Method method, const std::map<std::string, double>& energies) {
  const auto value = [&](const std::string& key) {
    const auto found = energies.find(key);
    return found == energies.end() ? 0.0 : found->second;
  };
  if (method == Method::mp2) return value("mp2_correlation");
  return value("ccd_correlation") + value("ccsd_correlation") + value("t_correction");
}

void add(const Correlation& found, Method method, CalculationResult& result) {
  result.energies.insert(found.energies.begin(), found.energies.end());
  result.iterations = found.iterations;
  result.total += correlation_of(method, result.energies);
}

}  // namespace

Method method_of(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& [method, text] : method_names) {
    if (lower == text) return method;
  }
  throw ricci::InputError(fmt::format("--method {}: there are scf, mp2, ccd, ccsd and ccsd(t)", name));
}

std::string name_of(Method method) {
  for (const auto& [one, text] : method_names) {
    if (one == method) return text;
  }
  return "";
}

CalculationResult calculate(const ricci::World& world, const Molecule& molecule, const BasisSet& basis,
                            const CalculationOptions& options) {
  check(molecule, options);
  check_dump(molecule, options);
  Stages stages(options.stage);
  CalculationResult result;
  result.functions = basis.functions();
  stages.begin("SCF");
  TwoElectronOptions how;
  how.threads = std::max(1, options.scf.threads);
  how.memory_bytes = options.scf.memory_bytes;
  TwoElectron integrals(molecule, basis, how);
  ScfOptions scf = options.scf;
  if (options.scf_report) scf.report = options.scf_report;
  result.scf = run_scf(molecule, basis, integrals, scf);
  result.restricted = result.scf.restricted;
  result.orbitals = static_cast<int>(result.scf.alpha.cols());
  result.energies["scf_total"] = result.total = result.scf.energy;
  const bool correlates = options.method != Method::scf;
  if (correlates || !options.fcidump.empty()) {
    stages.begin("integrals");
    std::optional<Fcidump> dump;
    if (!options.fcidump.empty())
      dump = one_electron_fcidump(molecule, basis, integrals, result.scf, options.frozen_core);
    ricci::Tensor<double> ao = integrals.tensor(world);
    integrals.forget();
    const CorrelationOptions correlation = correlation_options(world, options, stages);
    if (result.restricted) {
      stages.begin("transformation");
      ClosedShellReference reference = reference_of(result.scf, std::move(ao), options.frozen_core);
      if (dump) {
        stages.begin("FCIDUMP");
        write(options.fcidump, *dump, reference.mo);
      }
      if (correlates) add(correlate(std::move(reference), options.method, correlation), options.method, result);
    } else {
      add(correlate_unrestricted(result.scf, ao, options.frozen_core, options.method, correlation), options.method,
          result);
    }
  }
  result.seconds = stages.end();
  return result;
}

CalculationResult calculate(const ricci::World& world, Fcidump dump, const CalculationOptions& options) {
  if (options.method == Method::scf)
    throw ricci::InputError("--method scf: there is none of Hamiltonians from files, but mp2, ccd, ccsd and ccsd(t)");
  Stages stages(options.stage);
  CalculationResult result;
  result.orbitals = dump.orbitals;
  result.scf.nuclear_repulsion = dump.core_energy;
  stages.begin("transformation");
  Determinant determinant = determinant_of(std::move(dump), options.frozen_core);
  result.scf.energy = result.energies["scf_total"] = result.total = determinant.energy;
  result.scf.alpha_energies = result.scf.beta_energies = determinant.energies;
  result.scf.alpha_electrons = result.scf.beta_electrons = determinant.occupied;
  result.largest_fov = largest_fov(determinant.reference);
  if (options.method == Method::ccsd_t && result.largest_fov > brillouin_threshold)
    throw ricci::InputError(fmt::format(
        "ccsd(t): the determinant is not that of Hartree-Fock: between occupied and virtual orbitals its Fock matrix "
        "has {:.1e}, which (T) takes for zero (up to {:.0e}); dump the orbitals of converged SCF, or choose ccsd",
        result.largest_fov, brillouin_threshold));
  add(correlate(std::move(determinant.reference), options.method, correlation_options(world, options, stages)),
      options.method, result);
  result.seconds = stages.end();
  return result;
}

}  // namespace cc
