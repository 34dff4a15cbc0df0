#include "methods/calculation.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "integrals/two_electron.hpp"
#include "methods/closed_shell.hpp"
#include "methods/unrestricted.hpp"
#include "transform/mo_integrals.hpp"

namespace cc {

namespace {

constexpr std::pair<Method, const char*> method_names[] = {{Method::scf, "scf"},
                                                           {Method::mp2, "mp2"},
                                                           {Method::ccd, "ccd"},
                                                           {Method::ccsd, "ccsd"},
                                                           {Method::ccsd_t, "ccsd(t)"}};

/// How long each stage took.
class Stages {
 public:
  explicit Stages(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

  void begin(const std::string& stage) {
    end();
    now_ = stage;
    start_ = std::chrono::steady_clock::now();
    if (tell_) tell_(stage);
  }
  std::vector<StageSeconds> end() {
    if (!now_.empty())
      done_.push_back({now_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()});
    now_.clear();
    return done_;
  }

 private:
  std::function<void(const std::string&)> tell_;
  std::string now_;
  std::chrono::steady_clock::time_point start_;
  std::vector<StageSeconds> done_;
};

void check(const Molecule& molecule, const CalculationOptions& options) {
  const int most = std::min(molecule.alpha(), molecule.beta());
  if (options.method != Method::scf && (options.frozen_core < 0 || options.frozen_core > most))
    throw ricci::InputError(fmt::format("--frozen-core {}: {} has {} doubly occupied orbitals", options.frozen_core,
                                        molecule.formula(), most));
  if (options.method == Method::ccsd_t && (molecule.multiplicity != 1 || options.scf.unrestricted))
    throw ricci::InputError(
        "ccsd(t) is there for closed shells; of what is not restricted there are mp2, ccd and ccsd");
}

/// Without the frozen orbitals.
ClosedShellReference reference_of(const ScfResult& scf, ricci::Tensor<double> ao, int frozen_core) {
  const Eigen::MatrixXd orbitals = scf.alpha.rightCols(scf.alpha.cols() - frozen_core);
  return {transformed(ao, orbitals, orbitals), scf.alpha_energies.tail(orbitals.cols()),
          scf.alpha_electrons - frozen_core};
}

double correlation_of(Method method, const std::map<std::string, double>& energies) {
  const auto value = [&](const std::string& key) {
    const auto found = energies.find(key);
    return found == energies.end() ? 0.0 : found->second;
  };
  if (method == Method::mp2) return value("mp2_correlation");
  return value("ccd_correlation") + value("ccsd_correlation") + value("t_correction");
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
  if (options.method != Method::scf) {
    CorrelationOptions correlation;
    correlation.solve.max_iterations = options.max_iterations;
    correlation.solve.energy_threshold = options.energy_threshold;
    correlation.solve.residual_threshold = options.residual_threshold;
    correlation.solve.plan = world.options();
    correlation.solve.scratch = options.scratch;
    correlation.solve.report = options.cc_report;
    correlation.checkpoint = options.checkpoint;
    correlation.restart = options.restart;
    correlation.stage = [&](const std::string& stage) { stages.begin(stage); };
    correlation.progress = options.progress;
    stages.begin("integrals");
    ricci::Tensor<double> ao = integrals.tensor(world);
    integrals.forget();
    Correlation found;
    if (result.restricted) {
      stages.begin("transformation");
      ClosedShellReference reference = reference_of(result.scf, std::move(ao), options.frozen_core);
      found = correlate(std::move(reference), options.method, correlation);
    } else {
      found = correlate_unrestricted(result.scf, ao, options.frozen_core, options.method, correlation);
    }
    result.energies.merge(found.energies);
    result.iterations = found.iterations;
    result.total += correlation_of(options.method, result.energies);
  }
  result.seconds = stages.end();
  return result;
}

}  // namespace cc
