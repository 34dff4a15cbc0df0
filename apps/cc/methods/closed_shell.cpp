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

/// The integrals that the equations name, each where a comment there says what it is.
Tensors integrals_of(ClosedShellReference reference, Method method) {
  const Tensor<double>& mo = reference.mo;
  const ricci::World world = mo.world();
  const std::int64_t no = reference.occupied, nv = mo.extents()[0] - no;
  const OrbitalRange o{0, no}, v{no, no + nv};
  Tensors result;
  Tensor<double> k(world, {nv, nv, no, no});
  {
    const Tensor<double> vovo = block_of(mo, v, o, v, o);
    k["abij"] = vovo["aibj"];
  }
  result.emplace("K", std::move(k));
  if (method == Method::mp2) return result;
  result.emplace("O", block_of(mo, o, o, o, o));
  result.emplace("J", block_of(mo, v, v, o, o));
  if (method != Method::ccd) {
    result.emplace("M", block_of(mo, o, o, o, v));
    const Tensor<double> ovvv = block_of(mo, o, v, v, v);
    Tensor<double> gp(world, {no, nv, nv, nv}, symmetric(2, 3)), gm(world, {no, nv, nv, nv}, antisymmetric(2, 3));
    gp["kbcd"] = ovvv["kcbd"];  // symmetry adds (kd|bc), or subtracts it
    gm["kbcd"] = ovvv["kcbd"];
    result.emplace("Gp", std::move(gp));
    result.emplace("Gm", std::move(gm));
  }
  const Tensor<double> vvvv = block_of(mo, v, v, v, v);
  reference.mo = {};
  Tensor<double> vp(world, {nv, nv, nv, nv}, symmetric(0, 1) * symmetric(2, 3)),
      vm(world, {nv, nv, nv, nv}, antisymmetric(0, 1) * antisymmetric(2, 3));
  vp["abcd"] = 0.5 * vvvv["acbd"];  // both pairs add the others, and (ac|bd) is (bd|ac)
  vm["abcd"] = 0.5 * vvvv["acbd"];
  result.emplace("Vp", std::move(vp));
  result.emplace("Vm", std::move(vm));
  return result;
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

/// A program wants what it declares, and nothing else.
Tensors declared_by(const ricci::Program& program, Tensors& all) {
  Tensors result;
  for (const ricci::GivenDeclaration& declared : program.given()) {
    const auto found = all.find(declared.name);
    if (found != all.end()) result.insert(all.extract(found));
  }
  return result;
}

}  // namespace

Correlation correlate(ClosedShellReference reference, Method method, const CorrelationOptions& options) {
  const auto begin = [&](const std::string& stage) {
    if (options.stage) options.stage(stage);
  };
  const ricci::World world = reference.mo.world();
  const std::int64_t no = reference.occupied, nv = reference.mo.extents()[0] - no;
  const Eigen::VectorXd e = reference.energies.head(no), f = reference.energies.tail(nv);
  const Eigen::MatrixXd fov = reference.fov;
  const std::map<std::string, std::int64_t> spaces{{"no", no}, {"nv", nv}};
  begin("MP2");
  Tensors all = integrals_of(std::move(reference), method);
  add_fock(world, e, f, fov, all);
  Correlation result;
  {
    const ricci::Program mp2 = load_equations("closed_shell_mp2", spaces);
    Tensors given = declared_by(mp2, all);
    result.energies["mp2_correlation"] = run_once(mp2, given, options.solve).at("E");
    all.merge(given);
  }
  if (method == Method::mp2) return result;
  const bool singles = method != Method::ccd;
  const std::string name = singles ? "ccsd" : "ccd";
  begin(singles ? "CCSD" : "CCD");
  const ricci::Program equations = load_equations("closed_shell_" + name, spaces);
  std::vector<Unknown> unknowns{{"T2", "R2"}};
  if (singles) unknowns.insert(unknowns.begin(), {"T1", "R1", 2});
  Tensors given = declared_by(equations, all);
  const Solution solution = solve_and_keep(equations, given, unknowns, options);
  result.energies[name + "_correlation"] = solution.energy;
  result.iterations = solution.iterations;
  if (method != Method::ccsd_t) return result;
  begin("(T)");
  for (const char* done : {"Vp", "Vm", "O", "J", "R1", "R2"}) given.erase(done);
  result.energies["t_correction"] =
      closed_shell_triples({given.at("T1"), given.at("T2"), given.at("M"), given.at("K"),
                            integrals_from(given.at("Gp"), given.at("Gm")), as_vector(e), as_vector(f)},
                           triples_options(options));
  return result;
}

}  // namespace cc
