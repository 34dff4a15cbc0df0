// Coupled cluster of open shells: its equations against all determinants, its energies against other programs.
#include "methods/unrestricted.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>
#include <ricci/spin.hpp>

#include "cases.hpp"
#include "integrals/two_electron.hpp"
#include "methods/closed_shell.hpp"
#include "spin_orbital_oracle.hpp"

using namespace cc;

namespace {

/// What a program adds to the amplitudes, times the denominators, is exp(-T) H exp(T) between determinants.
void expect_residuals(const std::string& name, const SpinCounts& counts, std::uint64_t seed) {
  const RandomSpinOrbitals orbitals(counts, seed);
  const ricci::World world;
  const ricci::Program program = spin_integrated_equations(name, orbitals.spaces());
  Tensors given;
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (!declared.is_output) given.emplace(declared.name, orbitals.block(world, declared));
  }
  const double energy = run_once(Store(world), program, given).at("E");
  const bool with_singles = given.count("R1_aa") == 1;
  const SpinCoupledCluster expected(orbitals, with_singles);
  EXPECT_NEAR(energy, expected.correlation_energy(), 1e-12 * (1 + std::abs(energy)));
  const auto gap = [&](int a, int i) { return orbitals.fock(i, i) - orbitals.fock(a, a); };
  for (const std::string spins : {"aa", "bb"}) {
    if (!with_singles) break;
    given.at("R1_" + spins).in_memory().for_each_local([&](ricci::Index at, double value) {
      const int a = orbitals.orbital('v', spins[0], at[0]), i = orbitals.orbital('o', spins[1], at[1]);
      EXPECT_NEAR(value * gap(a, i), expected.single(a, i), 1e-11);
    });
  }
  for (const std::string spins : {"aaaa", "abab", "bbbb"}) {
    given.at("R2_" + spins).in_memory().for_each_local([&](ricci::Index at, double value) {
      const int a = orbitals.orbital('v', spins[0], at[0]), b = orbitals.orbital('v', spins[1], at[1]);
      const int i = orbitals.orbital('o', spins[2], at[2]), j = orbitals.orbital('o', spins[3], at[3]);
      EXPECT_NEAR(value * (gap(a, i) + gap(b, j)), expected.pair(a, b, i, j), 1e-11);
    });
  }
}

TEST(SpinOrbitalProgramsOnRanks, AreThoseOfDeterminants) {
  const SpinCounts all[] = {{{2, 1}, {2, 3}}, {{2, 2}, {2, 2}}, {{3, 2}, {2, 1}}, {{1, 0}, {2, 2}},
                            {{2, 0}, {2, 3}}, {{0, 2}, {3, 1}}, {{2, 1}, {0, 2}}, {{2, 2}, {2, 0}},
                            {{1, 1}, {1, 1}}, {{1, 1}, {0, 0}}, {{0, 0}, {2, 1}}};
  std::uint64_t seed = 1;
  for (const SpinCounts& counts : all) {
    SCOPED_TRACE(testing::Message() << counts.occupied[0] << '+' << counts.occupied[1] << " occupied, "
                                    << counts.virtuals[0] << '+' << counts.virtuals[1] << " virtual");
    expect_residuals("ccsd", counts, seed++);
    expect_residuals("ccd", counts, seed++);
  }
}

Correlation unrestricted(const Molecule& molecule, const std::string& basis_name, int frozen_core, Method method) {
  const BasisSet basis = load_basis(basis_name, molecule, true);
  TwoElectron integrals(molecule, basis);
  const ScfResult scf = run_scf(molecule, basis, integrals, {.unrestricted = true});
  const ricci::World world;
  return correlate_unrestricted(Store(world), scf, Held(integrals.tensor(world)), frozen_core, method, {});
}

void expect_energies(const Case& one) {
  SCOPED_TRACE(one.name);
  const Correlation found = unrestricted(one.molecule, one.basis, one.frozen_core_orbitals, Method::ccsd);
  for (const char* key : {"mp2_correlation", "ccsd_correlation"})
    EXPECT_NEAR(found.energies.at(key), one.energies.at(key), 1e-8) << key;
}

TEST(UnrestrictedOnRanks, EnergiesOfOpenShellsAreThoseOfOtherPrograms) {
  int open_shells = 0;
  for (const Case& one : cases()) {
    if (one.molecule.multiplicity == 1) continue;
    expect_energies(one);
    ++open_shells;
  }
  EXPECT_EQ(open_shells, 3);
}

TEST(UnrestrictedOnRanks, ClosedShellsAreThoseOfOtherPrograms) {
  for (const char* name : {"h2o_crawford_sto-3g", "h2o_6-31g_fc", "he_cc-pvdz"}) expect_energies(case_named(name));
}

TEST(Unrestricted, CcdOfAClosedShellIsThatOfTheClosedShellEquations) {
  const Case& one = case_named("h2o_6-31g");
  const BasisSet basis = load_basis(one.basis, one.molecule, one.spherical);
  TwoElectron integrals(one.molecule, basis);
  const ScfResult scf = run_scf(one.molecule, basis, integrals, {});
  const Store store{ricci::World()};
  const ricci::Tensor<double> ao = integrals.tensor(store.world());
  const Correlation closed =
      correlate(store, {Held(ao), scf.alpha, scf.alpha_energies, scf.alpha_electrons}, Method::ccd, {});
  const Correlation open = correlate_unrestricted(store, scf, Held(ao), 0, Method::ccd, {});
  EXPECT_NEAR(open.energies.at("ccd_correlation"), closed.energies.at("ccd_correlation"), 1e-9);
}

Molecule on_z(const std::vector<std::pair<int, double>>& atoms, int multiplicity) {
  Molecule molecule{.atoms = {}, .charge = 0, .multiplicity = multiplicity};
  for (const auto& [number, z] : atoms)
    molecule.atoms.push_back({.number = number, .at = {0, 0, z / angstrom_per_bohr}});
  return molecule;
}

TEST(UnrestrictedOnRanks, TwoElectronsOfOneSpinAreExact) {
  const Molecule triplet = on_z({{1, 0}, {1, 1}}, 3);
  const double scf = run_scf(triplet, load_basis("cc-pvdz", triplet, true), {}).energy;
  const double correlation = unrestricted(triplet, "cc-pvdz", 0, Method::ccsd).energies.at("ccsd_correlation");
  EXPECT_NEAR(scf + correlation, -0.876810280980, 1e-9) << "full CI of Psi4 1.3.2";
}

TEST(UnrestrictedOnRanks, TheOxygenMoleculeIsThatOfNwchem) {
  // NWChem 7.0.2, tce, whose amplitudes are converged to 1e-8.
  const Correlation oxygen = unrestricted(on_z({{8, 0}, {8, 1.2075}}, 3), "cc-pvdz", 0, Method::ccsd);
  EXPECT_NEAR(oxygen.energies.at("ccsd_correlation"), -0.3517990317, 5e-8);
}

TEST(UnrestrictedOnRanks, OneElectronHasNoCorrelation) {
  for (const Method method : {Method::mp2, Method::ccd, Method::ccsd}) {
    for (const auto& [key, energy] : unrestricted(on_z({{1, 0}}, 2), "cc-pvdz", 0, method).energies)
      EXPECT_NEAR(energy, 0, 1e-12) << key;
  }
}

TEST(UnrestrictedOnRanks, ElectronsWithoutVirtualOrbitalsOfTheirSpinHaveNoCorrelation) {
  // Both orbitals of alpha spin are occupied, and none of beta spin.
  const Correlation helium = unrestricted(on_z({{2, 0}}, 3), "6-31g", 0, Method::ccsd);
  EXPECT_NEAR(helium.energies.at("ccsd_correlation"), 0, 1e-12);
}

TEST(UnrestrictedOnRanks, TheCoreMayBeAllThereIsOfOneSpin) {
  const Correlation lithium = unrestricted(on_z({{3, 0}}, 2), "cc-pvdz", 1, Method::ccsd);
  EXPECT_NEAR(lithium.energies.at("ccsd_correlation"), 0, 1e-12);
}

TEST(Unrestricted, SaysWhatThereIsNot) {
  const Molecule hydrogen = on_z({{1, 0}}, 2);
  EXPECT_THAT([&] { unrestricted(hydrogen, "sto-3g", 1, Method::ccsd); },
              testing::ThrowsMessage<ricci::InputError>(
                  testing::HasSubstr("1 orbitals cannot be left out of the correlation")));
}

}  // namespace
