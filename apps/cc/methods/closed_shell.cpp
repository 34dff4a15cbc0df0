#include "methods/closed_shell.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "triples/closed_shell_triples.hpp"

namespace cc {

using ricci::antisymmetric;
using ricci::symmetric;
using ricci::Tensor;

namespace {

/// Numbers of sets of orbitals.
constexpr int o = 0, v = 1;

/// The integrals that the equations name, each where a comment there says what it is.
std::vector<IntegralBlock> blocks_of(Method method) {
  std::vector<IntegralBlock> blocks{{"K", {v, v, o, o}, {}, {{1, {0, 2, 1, 3}}}}};
  if (method == Method::mp2) return blocks;
  blocks.push_back({"O", {o, o, o, o}, symmetric(0, 1) * symmetric(2, 3), {{1, {0, 1, 2, 3}}}});
  blocks.push_back({"J", {v, v, o, o}, symmetric(0, 1) * symmetric(2, 3), {{1, {0, 1, 2, 3}}}});
  if (method != Method::ccd) {
    blocks.push_back({"M", {o, o, o, v}, symmetric(0, 1), {{1, {0, 1, 2, 3}}}});
    // Symmetry adds (kd|bc), or subtracts it.
    blocks.push_back({"Gp", {o, v, v, v}, symmetric(2, 3), {{1, {0, 2, 1, 3}}}});
    blocks.push_back({"Gm", {o, v, v, v}, antisymmetric(2, 3), {{1, {0, 2, 1, 3}}}});
  }
  // Both pairs add the others, and (ac|bd) is (bd|ac).
  blocks.push_back({"Vp", {v, v, v, v}, symmetric(0, 1) * symmetric(2, 3), {{0.5, {0, 2, 1, 3}}}});
  blocks.push_back({"Vm", {v, v, v, v}, antisymmetric(0, 1) * antisymmetric(2, 3), {{0.5, {0, 2, 1, 3}}}});
  return blocks;
}

std::vector<OrbitalSet> sets_of(const Eigen::MatrixXd& orbitals, std::int64_t occupied) {
  std::vector<OrbitalSet> sets(2);
  sets[o].name = "o";
  sets[o].coefficients = orbitals.leftCols(occupied);
  sets[v].name = "v";
  sets[v].coefficients = orbitals.rightCols(orbitals.cols() - occupied);
  return sets;
}

std::string equations_of(Method method) {
  return method == Method::mp2 ? "closed_shell_mp2" : method == Method::ccd ? "closed_shell_ccd" : "closed_shell_ccsd";
}

void add_fock(const ricci::World& world, const Eigen::VectorXd& e, const Eigen::VectorXd& f, const Eigen::MatrixXd& fov,
              Tensors& given) {
  given.emplace("e", as_tensor(world, e));
  given.emplace("f", as_tensor(world, f));
  given.emplace("foo", as_tensor(world, Eigen::MatrixXd(e.asDiagonal())));
  given.emplace("fvv", as_tensor(world, Eigen::MatrixXd(f.asDiagonal())));
  given.emplace("fov", fov.size() > 0 ? as_tensor(world, fov) : Tensor<double>(world, {e.size(), f.size()}));
}

std::vector<double> as_vector(const Eigen::VectorXd& values) { return {values.data(), values.data() + values.size()}; }

}  // namespace

bool closed_shell_fits(const Store& store, std::int64_t functions, std::int64_t occupied, std::int64_t virtuals,
                       Method method) {
  const Eigen::MatrixXd orbitals = Eigen::MatrixXd::Zero(functions, occupied + virtuals);
  const ricci::Program equations = load_equations(equations_of(method), {{"no", occupied}, {"nv", virtuals}});
  return fits(store, transform_program(functions, sets_of(orbitals, occupied), blocks_of(method))) &&
         fits(store, equations, method == Method::mp2 ? 0 : bytes_of_history(store, equations));
}

Correlation correlate(const Store& store, ClosedShellReference reference, Method method,
                      const CorrelationOptions& options) {
  const auto begin = [&](const std::string& stage) {
    if (options.stage) options.stage(stage);
  };
  const ricci::World& world = store.world();
  const std::int64_t no = reference.occupied, nv = reference.orbitals.cols() - no;
  const Eigen::VectorXd e = reference.energies.head(no), f = reference.energies.tail(nv);
  const std::map<std::string, std::int64_t> spaces{{"no", no}, {"nv", nv}};
  begin("transformation");
  Tensors all = transform(store, std::move(reference.integrals), sets_of(reference.orbitals, no), blocks_of(method),
                          options.solve.events);
  begin("MP2");
  add_fock(world, e, f, reference.fov, all);
  Correlation result;
  {
    const ricci::Program mp2 = load_equations("closed_shell_mp2", spaces);
    Tensors given = declared_by(mp2, all);
    result.energies["mp2_correlation"] = run_once(store, mp2, given, options.solve.events).at("E");
    all.merge(given);
  }
  if (method == Method::mp2) return result;
  const bool singles = method != Method::ccd;
  const std::string name = singles ? "ccsd" : "ccd";
  begin(singles ? "CCSD" : "CCD");
  const ricci::Program equations = load_equations(equations_of(method), spaces);
  std::vector<Unknown> unknowns{{"T2", "R2"}};
  if (singles) unknowns.insert(unknowns.begin(), {"T1", "R1", 2});
  Tensors given = declared_by(equations, all);
  const Solution solution = solve_and_keep(store, equations, given, unknowns, options);
  result.energies[name + "_correlation"] = solution.energy;
  result.iterations = solution.iterations;
  if (method != Method::ccsd_t) return result;
  begin("(T)");
  for (const char* done : {"Vp", "Vm", "O", "J", "R1", "R2"}) given.erase(done);
  result.energies["t_correction"] =
      closed_shell_triples({given.at("T1"), given.at("T2"), given.at("M"), given.at("K"),
                            integrals_from(given.at("Gp"), given.at("Gm")), as_vector(e), as_vector(f)},
                           triples_options(store, given, options));
  return result;
}

}  // namespace cc
