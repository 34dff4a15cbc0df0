// Hartree-Fock against other programs, and against itself where it can be done in two ways.
#include "scf/scf.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "cases.hpp"
#include "integrals/one_electron.hpp"
#include "ranks/ranks.hpp"

using namespace cc;

namespace {

BasisSet basis_of(const Case& one) { return load_basis(one.basis, one.molecule, one.spherical); }

class EnergiesOnRanks : public testing::TestWithParam<Case> {};

TEST_P(EnergiesOnRanks, HasTheEnergyOfOtherPrograms) {
  const ScfResult result = run_scf(GetParam().molecule, basis_of(GetParam()), {});
  EXPECT_NEAR(result.energy, GetParam().energies.at("scf_total"), 1e-9) << result.iterations << " iterations";
  const ScfParts& parts = result.parts;
  EXPECT_NEAR(result.energy,
              result.nuclear_repulsion + parts.kinetic + parts.nuclear_attraction + parts.coulomb + parts.exchange,
              1e-11);
  EXPECT_NEAR(-(result.energy - parts.kinetic) / parts.kinetic, 2, 0.04) << "the virial theorem";
}

INSTANTIATE_TEST_SUITE_P(All, EnergiesOnRanks, testing::ValuesIn(cases()),
                         [](const auto& info) { return test_name(info.param.name); });

using testing::HasSubstr;
using testing::ThrowsMessage;

double energy(const Case& one, const ScfOptions& options) {
  return run_scf(one.molecule, basis_of(one), options).energy;
}

Molecule turned(Molecule molecule) {
  const Eigen::Matrix3d turn = (Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()) *
                                Eigen::AngleAxisd(-1.9, Eigen::Vector3d::UnitX()))
                                   .toRotationMatrix();
  for (Atom& atom : molecule.atoms) {
    const Eigen::Vector3d at = turn * Eigen::Vector3d(atom.at[0], atom.at[1], atom.at[2]);
    atom.at = {at[0] + 0.3, at[1] - 1, at[2]};
  }
  return molecule;
}

}  // namespace

TEST(ScfOnRanks, OrbitalsAreCanonical) {
  for (const char* name : {"h2o_cc-pvdz", "oh_cc-pvdz"}) {
    const Case& one = case_named(name);
    const BasisSet basis = basis_of(one);
    TwoElectron integrals(one.molecule, basis);
    const ScfResult result = run_scf(one.molecule, basis, integrals, {});
    const Eigen::MatrixXd s = overlap(one.molecule, basis);
    const Eigen::MatrixXd core = kinetic(one.molecule, basis) + nuclear_attraction(one.molecule, basis);
    const auto density = [](const Eigen::MatrixXd& c, int n) -> Eigen::MatrixXd {
      return c.leftCols(n) * c.leftCols(n).transpose();
    };
    const CoulombExchange sums = integrals.coulomb_exchange(std::vector<Eigen::MatrixXd>{
        density(result.alpha, result.alpha_electrons), density(result.beta, result.beta_electrons)});
    const auto expect_canonical = [&](const Eigen::MatrixXd& c, const Eigen::VectorXd& e, const Eigen::MatrixXd& k) {
      const Eigen::MatrixXd unit = c.transpose() * s * c, fock = c.transpose() * (core + sums.coulomb - k) * c;
      EXPECT_LT((unit - Eigen::MatrixXd::Identity(c.cols(), c.cols())).cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_LT((fock - Eigen::MatrixXd(e.asDiagonal())).cwiseAbs().maxCoeff(), 4e-9);
      EXPECT_TRUE(std::is_sorted(e.begin(), e.end()));
    };
    expect_canonical(result.alpha, result.alpha_energies, sums.exchange[0]);
    expect_canonical(result.beta, result.beta_energies, sums.exchange[1]);
  }
}

TEST(ScfOnRanks, RanksHaveTheSameBits) {
  const Case& one = case_named("oh_cc-pvdz");
  const ScfResult result = run_scf(one.molecule, basis_of(one), {.threads = 2});
  for (const Eigen::MatrixXd& own : {result.alpha, result.beta, Eigen::MatrixXd(result.alpha_energies),
                                     Eigen::MatrixXd(Eigen::MatrixXd::Constant(1, 1, result.energy))}) {
    Eigen::MatrixXd first = own;
    ranks::broadcast({first.data(), static_cast<std::size_t>(first.size())});
    EXPECT_EQ(own, first);
  }
}

TEST(Scf, UnrestrictedSingletsAreRestricted) {
  const Case& one = case_named("h2o_6-31g");
  const ScfResult result = run_scf(one.molecule, basis_of(one), {.unrestricted = true});
  EXPECT_FALSE(result.restricted);
  EXPECT_NEAR(result.energy, one.energies.at("scf_total"), 1e-9);
  EXPECT_NEAR(result.spin_squared, 0, 1e-9);
}

TEST(Scf, EveryWayLeadsToTheSame) {
  for (const char* name : {"h2o_cc-pvdz", "ch2_6-31g", "oh_cc-pvdz"}) {
    const Case& one = case_named(name);
    const double expected = one.energies.at("scf_total");
    EXPECT_NEAR(energy(one, {.guess = Guess::core}), expected, 1e-9);
    EXPECT_NEAR(energy(one, {.level_shift = 0.4}), expected, 1e-9);
    EXPECT_NEAR(energy(one, {.memory_bytes = 1}), expected, 1e-9) << "nothing kept";
    EXPECT_NEAR(energy(one, {.threads = 3}), expected, 1e-9);
  }
}

TEST(Scf, DoesNotDependOnDirections) {
  for (const bool spherical : {true, false}) {  // functions up to g
    const Molecule& molecule = case_named("hf_6-31g").molecule;
    const BasisSet basis = load_basis("cc-pvqz", molecule, spherical);
    const double energy = run_scf(molecule, basis, {}).energy;
    EXPECT_NEAR(run_scf(turned(molecule), basis, {}).energy, energy, 1e-10);
  }
}

// Psi4 1.3.2 (scf_type pk), with the geometries given here in angstrom.
TEST(Scf, HasEnergiesOfPsi4) {
  const auto of = [](const std::vector<std::pair<int, double>>& on_z, int multiplicity, const std::string& basis) {
    Molecule molecule{.atoms = {}, .charge = 0, .multiplicity = multiplicity};
    for (const auto& [number, z] : on_z)
      molecule.atoms.push_back({.number = number, .at = {0, 0, z / angstrom_per_bohr}});
    return run_scf(molecule, load_basis(basis, molecule, true), {}).energy;
  };
  EXPECT_NEAR(of({{8, 0}, {8, 1.2075}}, 3, "cc-pvdz"), -149.627757503689, 1e-9);
  EXPECT_NEAR(of({{7, 0}, {8, 1.15}}, 2, "cc-pvdz"), -129.260492052575, 1e-9);
  EXPECT_NEAR(of({{6, 0}, {7, 1.17}}, 2, "cc-pvdz"), -92.212942910662, 1e-9);
  EXPECT_NEAR(of({{11, 0}, {17, 2.36}}, 1, "def2-svp"), -621.222351914178, 1e-9);
  EXPECT_NEAR(of({{29, 0}, {1, 1.46}}, 1, "def2-svp"), -1639.236131852486, 1e-9);
  EXPECT_NEAR(of({{9, 0}, {9, 1.41}}, 1, "aug-cc-pvtz"), -198.755035806949, 1e-9);
  EXPECT_NEAR(of({{22, 0}, {8, 1.62}}, 3, "def2-svp"), -923.093950692205, 1e-9);
}

TEST(Scf, HasTheEnergyOfPsi4InCartesianFunctions) {
  Molecule dimer;
  const double b = angstrom_per_bohr;
  dimer.atoms = {{.number = 8, .at = {0.0000000000 / b, 0.0000000000 / b, 0.1173000000 / b}},
                 {.number = 1, .at = {0.0000000000 / b, 0.7572000000 / b, -0.4692000000 / b}},
                 {.number = 1, .at = {0.0000000000 / b, -0.7572000000 / b, -0.4692000000 / b}},
                 {.number = 8, .at = {2.8051023066 / b, 0.3000000000 / b, 0.0689472101 / b}},
                 {.number = 1, .at = {3.2795907738 / b, 1.0572000000 / b, -0.2757888404 / b}},
                 {.number = 1, .at = {3.2795907738 / b, -0.4572000000 / b, -0.2757888404 / b}}};
  EXPECT_NEAR(run_scf(dimer, load_basis("6-31g*", dimer, false), {}).energy, -152.014283662688, 1e-9);
  EXPECT_NEAR(run_scf(dimer, load_basis("6-31++g**", dimer, true), {}).energy, -152.053377856299, 1e-9);
}

TEST(Scf, LeavesOutFunctionsThatDependOnOthers) {
  const Case& one = case_named("h2_cc-pvdz");
  BasisSet basis = basis_of(one), twice = basis;
  for (const Shell& shell : basis.shells) {
    if (shell.l == 0) twice.shells.push_back(shell);
  }
  const ScfResult result = run_scf(one.molecule, twice, {});
  EXPECT_EQ(result.removed, 4);
  EXPECT_EQ(result.alpha.rows(), basis.functions() + 4);
  EXPECT_EQ(result.alpha.cols(), basis.functions());
  EXPECT_NEAR(result.energy, one.energies.at("scf_total"), 1e-9);
}

TEST(Scf, ReportsItsIterations) {
  const Case& one = case_named("h2o_6-31g");
  std::vector<ScfIteration> seen;
  const ScfResult result =
      run_scf(one.molecule, basis_of(one), {.report = [&](const ScfIteration& now) { seen.push_back(now); }});
  ASSERT_EQ(static_cast<int>(seen.size()), result.iterations);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].iteration, static_cast<int>(i) + 1);
    EXPECT_EQ(seen[i].change, i == 0 ? 0 : seen[i].energy - seen[i - 1].energy);
  }
  EXPECT_EQ(seen.back().energy, result.energy);
  EXPECT_LT(seen.back().residual, 1e-9);
}

TEST(Scf, SaysWhyThereIsNoResult) {
  const Case& one = case_named("h2o_6-31g");
  EXPECT_THAT([&] { run_scf(one.molecule, basis_of(one), {.max_iterations = 3}); },
              ThrowsMessage<ricci::InputError>(
                  AllOf(HasSubstr("did not converge in 3 iterations"), HasSubstr("level shift"), HasSubstr("guess"))));
  Molecule helium = case_named("he_cc-pvdz").molecule;
  helium.multiplicity = 3;
  EXPECT_THAT([&] { run_scf(helium, load_basis("sto-3g", helium, true), {}); },
              ThrowsMessage<ricci::InputError>(HasSubstr("sto-3g has 1 independent functions, but there are 2")));
}

TEST(Scf, OneElectronAndNoneOfOneSpin) {
  Molecule hydrogen{.atoms = {{.number = 1, .at = {}}}, .charge = 0, .multiplicity = 2};
  const ScfResult result = run_scf(hydrogen, load_basis("cc-pvdz", hydrogen, true), {});
  EXPECT_NEAR(result.energy, -0.499278403420, 1e-9);  // known: -0.499278
  EXPECT_EQ(result.beta_electrons, 0);
  EXPECT_EQ(result.beta.cols(), 5);
  EXPECT_NEAR(result.spin_squared, 0.75, 1e-12);
}
