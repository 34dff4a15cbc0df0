#include "cc_output.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "methods/from_fcidump.hpp"

namespace cli {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string count(int number, const std::string& noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string as_bytes(std::int64_t bytes) {
  if (bytes == 0) return "no limit";
  if (bytes < 1'000'000) return fmt::format("{:.3g} kB", static_cast<double>(bytes) / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.4g} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{:.4g} GB", static_cast<double>(bytes) / 1e9);
}

void print_heading(const std::string& title) {
  fmt::print("\n{}\n{:>9} {:>22} {:>12} {:>12} {:>10}\n", title, "iteration", "energy / Hartree", "change", "residual",
             "seconds");
}

template <class Iteration>
void print_row(const Iteration& row, bool is_first) {
  const std::string change = is_first ? "" : fmt::format("{:.2e}", row.change);
  fmt::print("{:>9} {:>22.12f} {:>12} {:>12.2e} {:>10.2f}\n", row.iteration, row.energy, change, row.residual,
             row.seconds);
  std::fflush(stdout);
}

/// `ccsd_correlation` as people say it.
std::string spoken(const std::string& key, bool from_dump) {
  if (from_dump && key == "scf_total") return "determinant";
  static const std::map<std::string, std::string> names = {
      {"scf_total", "SCF"},
      {"mp2_correlation", "MP2 correlation"},
      {"ccd_correlation", "CCD correlation"},
      {"ccsd_correlation", "CCSD correlation"},
      {"t_correction", "(T) correction"},
      {"equations_correlation", "own equations"},
  };
  const auto found = names.find(key);
  return found == names.end() ? key : found->second;
}

/// SCF first, then what builds on it.
std::vector<std::string> in_order(const std::map<std::string, double>& energies) {
  const std::vector<std::string> usual = {"scf_total", "mp2_correlation", "ccd_correlation", "ccsd_correlation",
                                          "t_correction"};
  std::vector<std::string> keys;
  for (const std::string& key : usual) {
    if (energies.contains(key)) keys.push_back(key);
  }
  for (const auto& [key, energy] : energies) {
    if (std::find(usual.begin(), usual.end(), key) == usual.end()) keys.push_back(key);
  }
  return keys;
}

std::string method_in_words(const CcRun& run) {
  return run.options.equations.empty() ? upper(cc::name_of(run.options.method)) : run.options.equations;
}

}  // namespace

void print_head(const CcRun& run) {
  const auto line = [](const std::string& name, const std::string& text) { fmt::print("{:<10} {}\n", name, text); };
  const auto electrons = [&](int all, int alpha) {
    line("electrons", fmt::format("{}: {} alpha, {} beta", all, alpha, all - alpha));
  };
  std::string reference = run.restricted() ? "RHF" : "UHF";
  if (run.dump) {
    const int alpha = (run.dump->electrons + run.dump->spin) / 2;
    line("fcidump", fmt::format("{}: {}", run.file, count(run.dump->orbitals, "orbital")));
    electrons(run.dump->electrons, alpha);
    reference = fmt::format("the determinant of the first {}", count(alpha, "orbital"));
  } else {
    const cc::Molecule& molecule = run.molecule;
    line("molecule", fmt::format("{}: {}, charge {}, multiplicity {}", run.file, molecule.formula(), molecule.charge,
                                 molecule.multiplicity));
    electrons(molecule.electrons(), molecule.alpha());
    line("basis", fmt::format("{}, {}, {}", run.basis.name, run.basis.spherical ? "spherical" : "Cartesian",
                              count(run.basis.functions(), "function")));
  }
  line("method", fmt::format("{} from {}, {} frozen", method_in_words(run), reference,
                             count(run.options.frozen_core, "orbital")));
  line("machine", fmt::format("{} with {}, memory of a rank: {}", count(run.ranks, "rank"),
                              count(run.threads, "thread"), as_bytes(run.memory)));
  std::fflush(stdout);
}

void print_iteration(const CcRun& run, const cc::ScfIteration& iteration) {
  const bool is_first = iteration.iteration == 1;
  if (is_first) print_heading(run.restricted() ? "RHF" : "UHF");
  print_row(iteration, is_first);
}

void print_iteration(const cc::CcIteration& iteration, bool is_first) {
  if (is_first) print_heading("coupled cluster: correlation energy");
  print_row(iteration, is_first);
}

void print_result(const CcRun& run) {
  const cc::CalculationResult& result = run.result;
  const int alpha = result.scf.alpha_electrons, beta = result.scf.beta_electrons;
  fmt::print("\norbitals: {}, {} occupied\n", result.orbitals,
             alpha == beta ? fmt::format("{}", alpha) : fmt::format("{} alpha and {} beta", alpha, beta));
  if (result.scf.removed > 0)
    fmt::print("{} of functions were left out, since the others can make them\n",
               count(result.scf.removed, "combination"));
  if (result.largest_fov > cc::brillouin_threshold)
    fmt::print("not those of Hartree-Fock: the largest |f_ia| is {:.1e}\n", result.largest_fov);
  if (result.on_disk) fmt::print("large tensors were on disk, as memory is limited\n");
  if (!result.restricted) fmt::print("<S^2> {:.6f}\n", std::max(0.0, result.scf.spin_squared));

  fmt::print("\nenergies / Hartree\n");
  for (const std::string& key : in_order(result.energies))
    fmt::print("  {:<18} {:>20.12f}\n", spoken(key, run.dump.has_value()), result.energies.at(key));
  fmt::print("  {:<18} {:>20.12f}\n",
             run.options.equations.empty() ? "total " + upper(cc::name_of(run.options.method)) : "total", result.total);

  fmt::print("\nseconds\n");
  for (const cc::StageSeconds& stage : result.seconds) fmt::print("  {:<28} {:>10.2f}\n", stage.stage, stage.seconds);
  fmt::print("  {:<28} {:>10.2f}\n", "all", run.seconds);
  std::fflush(stdout);
}

void print_timings(const CcRun& run) {
  for (const ProgramTimings& timings : run.timings) {
    std::vector<ricci::OperationReport> operations = timings.operations;
    std::stable_sort(operations.begin(), operations.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    double predicted = 0, measured = 0;
    fmt::print("\n{}\n{:>10} {:>10} {:>6}  operation\n", timings.program, "seconds", "predicted", "times");
    for (const ricci::OperationReport& operation : operations) {
      fmt::print("{:>10.4f} {:>10.4f} {:>6}  {:.49}{}\n", operation.seconds, operation.predicted_seconds,
                 operation.times, operation.text, operation.text.size() > 49 ? "…" : "");
      predicted += operation.predicted_seconds;
      measured += operation.seconds;
    }
    fmt::print("{:>10.4f} {:>10.4f}         all\n", measured, predicted);
  }
  std::fflush(stdout);
}

}  // namespace cli
