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
#include "transform/transform.hpp"
#include "triples/unrestricted_triples.hpp"

namespace cc {

namespace {

constexpr std::pair<Method, const char*> method_names[] = {{Method::scf, "scf"},
                                                           {Method::mp2, "mp2"},
                                                           {Method::ccd, "ccd"},
                                                           {Method::ccsd, "ccsd"},
                                                           {Method::ccsd_t, "ccsd(t)"}};

void check(const Molecule& molecule, const CalculationOptions& options) {
  if (options.method == Method::equations)  // mistakes are told before anything is computed
    ricci::Program::parse(text_of_file(options.equations), options.equations);
  const int most = std::min(molecule.alpha(), molecule.beta());
  if (options.method != Method::scf && (options.frozen_core < 0 || options.frozen_core > most))
    throw ricci::InputError(fmt::format("--frozen-core {}: {} has {} doubly occupied orbitals", options.frozen_core,
                                        molecule.formula(), most));
}

void check_dump(const Molecule& molecule, const CalculationOptions& options) {
  if (options.fcidump.empty()) return;
  if (options.method == Method::equations)
    throw ricci::InputError("--write-fcidump: does not go with --equations; write the file with --method scf");
  if (molecule.multiplicity != 1 || options.scf.unrestricted)
    throw ricci::InputError(
        "--write-fcidump: such a file has the integrals of restricted orbitals; there are none of open shells, nor "
        "with --uhf");
  if (options.frozen_core < 0 || options.frozen_core > molecule.beta())
    throw ricci::InputError(fmt::format("--frozen-core {}: {} has {} doubly occupied orbitals", options.frozen_core,
                                        molecule.formula(), molecule.beta()));
}

/// Without the frozen orbitals.
ClosedShellReference reference_of(const ScfResult& scf, Held integrals, int frozen_core) {
  const Eigen::MatrixXd orbitals = scf.alpha.rightCols(scf.alpha.cols() - frozen_core);
  return {std::move(integrals), orbitals, scf.alpha_energies.tail(orbitals.cols()), scf.alpha_electrons - frozen_core};
}

/// The integrals over orbitals are transformed, written, and go on as those of a reference whose functions they are.
void write_dump(const Store& store, const std::string& path, const Fcidump& dump, ClosedShellReference& reference) {
  const IntegralBlock all{"all", {0, 0, 0, 0}, ricci::symmetric(0, 1) * ricci::symmetric(2, 3), {{1, {0, 1, 2, 3}}}};
  Tensors made = transform(store, std::move(reference.integrals), {{"p", reference.orbitals}}, {all});
  reference.integrals = std::move(made.at("all"));
  reference.orbitals = Eigen::MatrixXd::Identity(dump.orbitals, dump.orbitals);
  write_fcidump(path, dump, reference.integrals);
}

/// Matrices of SCF, and tables of pairs of shells. The library of integrals has code and tables of its own
/// (docs/cc.md).
std::int64_t beside_tensors(std::int64_t functions) { return 16 * functions * functions * 8 + 4'000'000; }

/// Large tensors go to disk where they would leave too little memory.
void choose_place(Store& store, std::int64_t functions, bool prefers_disk, const std::function<bool()>& fits) {
  const std::int64_t limit = store.world().options().memory_limit, beside = beside_tensors(functions);
  if (limit == 0) return;
  constexpr std::int64_t least = 2'000'000;
  if (limit < beside + least)
    throw ricci::ResourceError(fmt::format(
        "{} functions take {} bytes on a rank beside their tensors, and the memory limit is {}; allow {} at "
        "least (--memory)",
        functions, beside, limit, beside + least));
  store.reserve(beside);
  if (prefers_disk || !fits()) store.use_disk(prefers_disk);
}

/// Before anything is computed that would be in vain.
void check_triples(const Store& store, const ScfResult& scf, const CalculationOptions& options) {
  if (options.method != Method::ccsd_t || store.limit() == 0) return;
  const std::int64_t o = scf.alpha_electrons - options.frozen_core, n = scf.alpha.cols() - options.frozen_core;
  const std::int64_t p = scf.beta_electrons - options.frozen_core;
  if (scf.restricted)
    check_closed_shell_triples(o, n - o, store.limit());
  else
    check_unrestricted_triples({OrbitalCounts{o, n - o}, OrbitalCounts{p, scf.beta.cols() - options.frozen_core - p}},
                               store.limit());
}

/// `stages` has to stay as long as they are used.
CorrelationOptions correlation_options(const CalculationOptions& options, Stages& stages) {
  CorrelationOptions correlation;
  correlation.solve.max_iterations = options.max_iterations;
  correlation.solve.energy_threshold = options.energy_threshold;
  correlation.solve.residual_threshold = options.residual_threshold;
  correlation.solve.events = {options.progress, options.timings};
  correlation.solve.report = options.cc_report;
  correlation.checkpoint = options.checkpoint;
  correlation.restart = options.restart;
  correlation.equations = options.equations;
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
  return value("ccd_correlation") + value("ccsd_correlation") + value("t_correction") + value("equations_correlation");
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
  return "equations";
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
  if (const std::int64_t limit = world.options().memory_limit; limit > 0)  // half of what there is, to use again
    how.memory_bytes = std::max<std::int64_t>(1, (limit - beside_tensors(result.functions)) / 2);
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
    Store store(world, options.scratch);
    const bool restricted = result.restricted && options.method != Method::equations;
    choose_place(store, result.functions, options.prefers_disk, [&] {
      const std::int64_t occupied = result.scf.alpha_electrons - options.frozen_core;
      const std::int64_t virtuals = result.scf.alpha.cols() - result.scf.alpha_electrons;
      return restricted ? closed_shell_fits(store, result.functions, occupied, virtuals, options.method)
                        : unrestricted_fits(store, result.scf, options.frozen_core, options.method, options.equations);
    });
    check_triples(store, result.scf, options);
    result.on_disk = store.uses_disk();
    std::optional<Fcidump> dump;
    if (!options.fcidump.empty())
      dump = one_electron_fcidump(molecule, basis, integrals, result.scf, options.frozen_core);
    if (store.limit() > 0) integrals.forget();  // they are made again: there may not be room for both
    Held ao = store.uses_disk() ? integrals.on_disk(store) : Held(integrals.tensor(world));
    integrals.forget();
    const CorrelationOptions correlation = correlation_options(options, stages);
    if (restricted) {
      ClosedShellReference reference = reference_of(result.scf, std::move(ao), options.frozen_core);
      if (dump) {
        stages.begin("FCIDUMP");
        write_dump(store, options.fcidump, *dump, reference);
      }
      if (correlates) add(correlate(store, std::move(reference), options.method, correlation), options.method, result);
    } else {
      add(correlate_unrestricted(store, result.scf, std::move(ao), options.frozen_core, options.method, correlation),
          options.method, result);
    }
  }
  result.seconds = stages.end();
  return result;
}

CalculationResult calculate(Fcidump dump, const CalculationOptions& options) {
  if (options.method == Method::scf)
    throw ricci::InputError("--method scf: there is none of Hamiltonians from files, but mp2, ccd, ccsd and ccsd(t)");
  if (options.method == Method::equations)
    throw ricci::InputError("--equations: there are none for Hamiltonians from files");
  Stages stages(options.stage);
  CalculationResult result;
  result.orbitals = dump.orbitals;
  result.scf.nuclear_repulsion = dump.core_energy;
  stages.begin("transformation");
  Determinant determinant = determinant_of(std::move(dump), options.frozen_core);
  Store store(determinant.reference.integrals.world(), options.scratch);
  choose_place(store, result.orbitals, options.prefers_disk, [&] {
    const std::int64_t occupied = determinant.reference.occupied;
    return closed_shell_fits(store, result.orbitals, occupied, determinant.reference.orbitals.cols() - occupied,
                             options.method);
  });
  result.on_disk = store.uses_disk();
  result.scf.energy = result.energies["scf_total"] = result.total = determinant.energy;
  result.scf.alpha_energies = result.scf.beta_energies = determinant.energies;
  result.scf.alpha_electrons = result.scf.beta_electrons = determinant.occupied;
  result.largest_fov = largest_fov(determinant.reference);
  if (options.method == Method::ccsd_t && result.largest_fov > brillouin_threshold)
    throw ricci::InputError(fmt::format(
        "ccsd(t): the determinant is not that of Hartree-Fock: between occupied and virtual orbitals its Fock matrix "
        "has {:.1e}, which (T) takes for zero (up to {:.0e}); dump the orbitals of converged SCF, or choose ccsd",
        result.largest_fov, brillouin_threshold));
  add(correlate(store, std::move(determinant.reference), options.method, correlation_options(options, stages)),
      options.method, result);
  result.seconds = stages.end();
  return result;
}

}  // namespace cc
