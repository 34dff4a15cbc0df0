#include "methods/unrestricted.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <ricci/spin.hpp>

#include "methods/spin_blocks.hpp"
#include "triples/unrestricted_triples.hpp"

namespace cc {

namespace {

ricci::Program spin_integrated_equations(const std::string& name, const ricci::SpinOptions& spaces) {
  const std::string equations = "spin_orbital_" + name;
  return ricci::Program::parse(ricci::spin_integrated(text_of_equations(equations), equations + ".ric", spaces),
                               equations + ".ric");
}

/// Makes what a program wants to be given and nobody has made yet.
void add_blocks(const ricci::Program& program, const SpinBlocks& blocks, Tensors& given) {
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (!declared.is_output && given.count(declared.name) == 0) given.emplace(declared.name, blocks.make(declared));
  }
}

/// Each block of amplitudes has an update, whose name has an R in place of the T. T2_abab stands for its exchanges,
/// too: the blocks abba, baab and baba.
std::vector<Unknown> unknowns_of(const ricci::Program& program) {
  std::vector<Unknown> unknowns;
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (!declared.is_output) continue;
    unknowns.push_back({"T" + declared.name.substr(1), declared.name, declared.name == "R2_abab" ? 4.0 : 1.0});
  }
  return unknowns;
}

/// Not the integrals and updates that only the iterations want.
bool is_of_triples(const std::string& block) {
  const std::string what = block.substr(0, block.rfind('_'));
  return what[0] != 'R' && what != "Vvvvv" && what != "Voooo" && what != "Vvoov";
}

}  // namespace

Correlation correlate_unrestricted(const ScfResult& scf, const ricci::Tensor<double>& ao, int frozen_core,
                                   Method method, const CorrelationOptions& options) {
  const auto begin = [&](const std::string& stage) {
    if (options.stage) options.stage(stage);
  };
  begin("transformation");
  std::optional<SpinBlocks> blocks(std::in_place, scf, ao, frozen_core);
  begin("MP2");
  const ricci::SpinOptions spaces = blocks->spaces();
  const ricci::Program mp2 = spin_integrated_equations("mp2", spaces);
  Tensors given;
  add_blocks(mp2, *blocks, given);
  Correlation result;
  result.energies["mp2_correlation"] = run_once(mp2, given, options.solve).at("E");
  if (method == Method::mp2) return result;

  const bool singles = method != Method::ccd;
  const std::string name = singles ? "ccsd" : "ccd";
  begin(singles ? "CCSD" : "CCD");
  const ricci::Program equations = spin_integrated_equations(name, spaces);
  add_blocks(equations, *blocks, given);
  blocks.reset();  // the integrals of all orbitals take more than their blocks
  const std::vector<Unknown> unknowns = unknowns_of(equations);
  const Solution solution = solve_and_keep(equations, given, unknowns, options);
  result.energies[name + "_correlation"] = solution.energy;
  result.iterations = solution.iterations;
  if (method != Method::ccsd_t) return result;
  begin("(T)");
  std::erase_if(given, [](const auto& block) { return !is_of_triples(block.first); });
  result.energies["t_correction"] = unrestricted_triples(given, triples_options(options));
  return result;
}

}  // namespace cc
