#include "methods/unrestricted.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ricci/error.hpp>
#include <ricci/spin.hpp>

#include "methods/spin_blocks.hpp"
#include "triples/unrestricted_triples.hpp"

namespace cc {

namespace {

/// A text over spin orbitals, as a program over alpha and beta.
ricci::Program spin_integrated(const std::string& text, const std::string& name, ricci::SpinOptions spaces) {
  // Of Yvovo[c,k,d,l] = <cd||kl> it is c and d that have the spins of k and l.
  if (text.find("Yvovo") != std::string::npos)
    spaces.patterns["Yvovo"] = {"aaaa", "aabb", "abba", "baab", "bbaa", "bbbb"};
  return ricci::Program::parse(ricci::spin_integrated(text, name, spaces), name);
}

/// `file`: of somebody's own equations.
ricci::Program equations_of(Method method, const std::string& file, const ricci::SpinOptions& spaces) {
  if (method == Method::equations) return spin_integrated(text_of_file(file), file, spaces);
  return spin_integrated_equations(method == Method::mp2 ? "mp2" : method == Method::ccd ? "ccd" : "ccsd", spaces);
}

/// The integrals that programs want, each once.
std::vector<IntegralBlock> integrals_of(const std::vector<const ricci::Program*>& programs) {
  std::vector<IntegralBlock> blocks;
  for (const ricci::Program* program : programs) {
    for (const ricci::GivenDeclaration& declared : program->given()) {
      const auto is_it = [&](const IntegralBlock& block) { return block.name == declared.name; };
      if (!declared.is_output && SpinBlocks::is_integral(declared) && std::none_of(blocks.begin(), blocks.end(), is_it))
        blocks.push_back(SpinBlocks::integrals(declared));
    }
  }
  return blocks;
}

/// Makes what a program wants to be given and nobody has made yet. Amplitudes are zero.
void add_blocks(const Store& store, const ricci::Program& program, const SpinBlocks& blocks, Tensors& given) {
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (declared.is_output || given.count(declared.name) > 0) continue;
    given.emplace(declared.name, declared.name[0] == 'T' ? store.make(declared.extents, declared.symmetry)
                                                         : Held(blocks.make(declared)));
  }
}

/// Each block of amplitudes has an update, whose name has an R in place of the T. T2_abab stands for its exchanges,
/// too: the blocks abba, baab and baba.
std::vector<Unknown> unknowns_of(const ricci::Program& program) {
  std::vector<Unknown> unknowns;
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (!declared.is_output) continue;
    const std::string amplitude = "T" + declared.name.substr(1);
    const auto given = program.given();
    if (declared.name[0] != 'R' || std::none_of(given.begin(), given.end(), [&](const auto& other) {
          return other.name == amplitude && !other.is_output;
        }))
      throw ricci::InputError(
          fmt::format("{}: the output {} has to add to amplitudes: call it R and something, and declare an input with "
                      "a T in place of the R",
                      program.name(), declared.name));
    unknowns.push_back({amplitude, declared.name, declared.name == "R2_abab" ? 4.0 : 1.0});
  }
  if (unknowns.empty())
    throw ricci::InputError(program.name() +
                            ": there is no output that adds to amplitudes: `output R2[a,b,i,j] given`");
  return unknowns;
}

/// Not the integrals and updates that only the iterations want.
bool is_of_triples(const std::string& block) {
  const std::string what = block.substr(0, block.rfind('_'));
  return what[0] != 'R' && what != "Vvvvv" && what != "Voooo" && what != "Vvoov" && what != "Yvovo" && what != "G2";
}

}  // namespace

ricci::Program spin_integrated_equations(const std::string& name, ricci::SpinOptions spaces) {
  const std::string equations = "spin_orbital_" + name;
  return spin_integrated(text_of_equations(equations), equations + ".ric", std::move(spaces));
}

bool unrestricted_fits(const Store& store, const ScfResult& scf, int frozen_core, Method method,
                       const std::string& file) {
  const SpinBlocks blocks(store.world(), scf, frozen_core);
  const ricci::Program equations = equations_of(method, file, blocks.spaces());
  const ricci::Program transforming = transform_program(scf.alpha.rows(), blocks.sets(), integrals_of({&equations}));
  return fits(store, transforming) &&
         fits(store, equations, method == Method::mp2 ? 0 : bytes_of_history(store, equations));
}

Correlation correlate_unrestricted(const Store& store, const ScfResult& scf, Held integrals, int frozen_core,
                                   Method method, const CorrelationOptions& options) {
  const auto begin = [&](const std::string& stage) {
    if (options.stage) options.stage(stage);
  };
  begin("transformation");
  const SpinBlocks blocks(store.world(), scf, frozen_core);
  const ricci::SpinOptions spaces = blocks.spaces();
  const ricci::Program mp2 = equations_of(Method::mp2, {}, spaces);
  const ricci::Program equations = equations_of(method, options.equations, spaces);
  const std::vector<Unknown> unknowns = method == Method::mp2 ? std::vector<Unknown>{} : unknowns_of(equations);
  Tensors all =
      transform(store, std::move(integrals), blocks.sets(), integrals_of({&mp2, &equations}), options.solve.events);
  begin("MP2");
  Tensors given = declared_by(mp2, all);
  add_blocks(store, mp2, blocks, given);
  Correlation result;
  result.energies["mp2_correlation"] = run_once(store, mp2, given, options.solve.events).at("E");
  if (method == Method::mp2) return result;

  const std::string name = method == Method::ccd ? "ccd" : method == Method::equations ? "equations" : "ccsd";
  begin(method == Method::ccd ? "CCD" : method == Method::equations ? options.equations : "CCSD");
  all.merge(given);
  given = declared_by(equations, all);
  add_blocks(store, equations, blocks, given);
  const Solution solution = solve_and_keep(store, equations, given, unknowns, options);
  result.energies[name + "_correlation"] = solution.energy;
  result.iterations = solution.iterations;
  if (method != Method::ccsd_t) return result;
  begin("(T)");
  std::erase_if(given, [](const auto& block) { return !is_of_triples(block.first); });
  result.energies["t_correction"] = unrestricted_triples(given, triples_options(store, given, options));
  return result;
}

}  // namespace cc
