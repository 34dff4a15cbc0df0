// Energies from Hamiltonians in files: those of the molecules that they were made of, in whatever orbitals.
#include "methods/from_fcidump.hpp"

#include <cmath>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>

#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "cases.hpp"
#include "methods/calculation.hpp"
#include "ranks/ranks.hpp"
#include "transform/transform.hpp"

using namespace cc;

namespace {

/// A case by way of a file.
struct Dumped {
  CalculationResult molecule;
  Fcidump dump;
};

Dumped dumped(const Case& one, Method method, int frozen_core = 0) {
  const std::string file = one.name + "_" + std::to_string(ranks::size()) + ".fcidump";
  CalculationOptions options{.method = method, .frozen_core = frozen_core};
  options.fcidump = file;
  const BasisSet basis = load_basis(one.basis, one.molecule, one.spherical);
  Dumped result{calculate(ricci::World(), one.molecule, basis, options), read_fcidump(file, ricci::World())};
  ranks::barrier();
  if (ranks::rank() == 0) std::remove(file.c_str());
  return result;
}

CalculationResult energies_of(const Fcidump& dump, Method method, int frozen_core = 0) {
  return calculate(dump, {.method = method, .frozen_core = frozen_core});
}

/// In the orbitals that are the columns of `u`.
Fcidump turned(const Fcidump& dump, const Eigen::MatrixXd& u) {
  Fcidump result = dump;
  result.one_electron = u.transpose() * dump.one_electron * u;
  const IntegralBlock all{"all", {0, 0, 0, 0}, dump.two_electron.symmetry(), {{1, {0, 1, 2, 3}}}};
  const Store store(dump.two_electron.world());
  result.two_electron = transform(store, Held(dump.two_electron), {{"p", u}}, {all}).at("all").in_memory();
  return result;
}

Eigen::MatrixXd random_matrix(Eigen::Index n, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(engine); });
}

Eigen::MatrixXd orthogonal(const Eigen::MatrixXd& matrix) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(matrix).householderQ();
}

/// Occupied orbitals among themselves, and virtual ones.
Eigen::MatrixXd random_turn(const Fcidump& dump, unsigned seed) {
  const Eigen::Index n = dump.orbitals, o = dump.electrons / 2;
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(n, n);
  u.topLeftCorner(o, o) = orthogonal(random_matrix(o, seed));
  u.bottomRightCorner(n - o, n - o) = orthogonal(random_matrix(n - o, seed + 1));
  return u;
}

/// All orbitals, each by little.
Eigen::MatrixXd random_mixture(const Fcidump& dump, double angle, unsigned seed) {
  const Eigen::Index n = dump.orbitals;
  const Eigen::MatrixXd u = orthogonal(Eigen::MatrixXd::Identity(n, n) + angle * random_matrix(n, seed));
  return u * u.diagonal().array().sign().matrix().asDiagonal();  // the signs that a decomposition leaves are of no use
}

void expect_same(const CalculationResult& result, const CalculationResult& expected) {
  EXPECT_EQ(result.energies.size(), expected.energies.size());
  for (const auto& [key, energy] : expected.energies) EXPECT_NEAR(result.energies.at(key), energy, 1e-9) << key;
  EXPECT_NEAR(result.total, expected.total, 1e-9);
  EXPECT_LT(result.largest_fov, brillouin_threshold);
}

std::string message(const Fcidump& dump, const CalculationOptions& options) {
  try {
    calculate(dump, options);
  } catch (const ricci::InputError& error) {
    return error.what();
  }
  return "no error";
}

Fcidump read(const std::string& text) {
  std::istringstream in(text);
  return read_fcidump(in, "x.fcidump", ricci::World());
}

TEST(FromFcidumpOnRanks, EnergiesAreThoseOfTheMolecule) {
  for (const char* name : {"h2o_sto-3g", "h2o_6-31g"}) {
    SCOPED_TRACE(name);
    const Case& one = case_named(name);
    for (Method method : {Method::mp2, Method::ccd, Method::ccsd_t}) {
      SCOPED_TRACE(name_of(method));
      const auto [molecule, dump] = dumped(one, method);
      expect_same(energies_of(dump, method), molecule);
    }
  }
}

TEST(FromFcidumpOnRanks, FrozenOrbitalsMayBeInTheFileOrFoldedIntoIt) {
  for (const char* name : {"h2o_sto-3g", "h2o_6-31g"}) {
    SCOPED_TRACE(name);
    const Case& one = case_named(std::string(name) + "_fc");
    const auto [molecule, folded] = dumped(one, Method::ccsd_t, 1);
    EXPECT_NEAR(molecule.energies.at("t_correction"), one.energies.at("t_correction"), 1e-8);
    EXPECT_EQ(folded.electrons, 8);
    EXPECT_EQ(folded.orbitals, molecule.orbitals - 1);
    expect_same(energies_of(folded, Method::ccsd_t), molecule);
    const Fcidump whole = dumped(one, Method::scf).dump;
    EXPECT_EQ(whole.orbitals, molecule.orbitals);
    expect_same(energies_of(whole, Method::ccsd_t, 1), molecule);
    expect_same(energies_of(turned(whole, random_turn(whole, 5)), Method::ccsd_t, 1), molecule);
  }
}

TEST(FromFcidumpOnRanks, OccupiedOrbitalsMayBeTurnedAndVirtualOnes) {
  const auto [molecule, dump] = dumped(case_named("h2o_6-31g"), Method::ccsd_t);
  expect_same(energies_of(turned(dump, random_turn(dump, 1)), Method::ccsd_t), molecule);
}

TEST(FromFcidumpOnRanks, TwoElectronsAreExactFromAnyDeterminant) {
  const Case& one = case_named("h2_cc-pvdz");
  const Fcidump dump = dumped(one, Method::scf).dump;
  for (const double angle : {0.02, 0.1, 0.2}) {
    SCOPED_TRACE(angle);
    const CalculationResult result = energies_of(turned(dump, random_mixture(dump, angle, 3)), Method::ccsd);
    EXPECT_GT(result.energies.at("scf_total"), one.energies.at("scf_total") + 0.1 * angle * angle);
    EXPECT_GT(result.largest_fov, 0.1 * angle);
    EXPECT_NEAR(result.total, one.energies.at("fci_total"), 1e-8);
  }
}

TEST(FromFcidumpOnRanks, SinglesTakeUpWhatADeterminantLacks) {
  const auto [molecule, dump] = dumped(case_named("h2o_6-31g"), Method::ccsd);
  const Fcidump mixed = turned(dump, random_mixture(dump, 0.02, 4));
  const CalculationResult result = energies_of(mixed, Method::ccsd);
  const double lost = result.energies.at("scf_total") - molecule.energies.at("scf_total");
  EXPECT_GT(lost, 1e-3);
  EXPECT_NEAR(result.total, molecule.total, 0.02 * lost);
  EXPECT_THAT(message(mixed, {.method = Method::ccsd_t}), testing::HasSubstr("is not that of Hartree-Fock"));
}

/// Two sites with hopping 1 and repulsion u, in the orbitals of hopping: an energy on paper.
TEST(FromFcidumpOnRanks, TwoSitesHaveTheEnergyOfPaper) {
  const double u = 1.5;
  std::ostringstream text;
  text << "&FCI NORB=2,NELEC=2,MS2=0 /\n-1 1 1 0 0\n1 2 2 0 0\n10 0 0 0 0\n";
  for (const char* at : {"1 1 1 1", "2 2 2 2", "1 1 2 2", "2 1 2 1"}) text << u / 2 << ' ' << at << '\n';
  const CalculationResult result = energies_of(read(text.str()), Method::ccsd_t);
  EXPECT_NEAR(result.energies.at("scf_total"), 10 - 2 + u / 2, 1e-12);
  EXPECT_NEAR(result.total, 10 + u / 2 - std::sqrt(u * u / 4 + 4), 1e-9);
  EXPECT_EQ(result.energies.at("t_correction"), 0);
}

TEST(FromFcidump, RefusesWhatCannotBe) {
  const auto refused = [](const std::string& text, const CalculationOptions& options) {
    return message(read(text), options);
  };
  const std::string four = "&FCI NORB=4,NELEC=4 /\n-4 1 1 0 0\n-3 2 2 0 0\n-2 3 3 0 0\n-1 4 4 0 0\n";
  EXPECT_EQ(refused(four, {}), "no error");
  EXPECT_EQ(refused("&FCI NORB=2,NELEC=3,MS2=1 /\n", {}),
            "MS2=1: of Hamiltonians from files there are closed shells, those with MS2=0");
  EXPECT_EQ(refused("&FCI NORB=2,NELEC=4 /\n", {}), "4 electrons in 2 orbitals: there is nothing to correlate");
  EXPECT_EQ(refused("&FCI NORB=2,NELEC=0 /\n", {}), "0 electrons in 2 orbitals: there is nothing to correlate");
  EXPECT_EQ(refused(four, {.frozen_core = 2}),
            "--frozen-core 2: of 2 occupied orbitals some have to stay: freeze at most 1 orbitals");
  EXPECT_THAT(refused(four, {.method = Method::scf}), testing::StartsWith("--method scf: there is none"));
  EXPECT_THAT(refused("&FCI NORB=3,NELEC=2 /\n-1 1 1 0 0\n-2 3 3 0 0\n", {}),
              testing::StartsWith("the first NELEC/2 orbitals are not the lowest: one of them has the energy "
                                  "-1.000000, one of the others -2.000000 Hartree"));
}

TEST(FromFcidump, OpenShellsAreNotWritten) {
  const Case& one = case_named("h2_cc-pvdz");
  CalculationOptions options{.method = Method::scf};
  options.fcidump = "none.fcidump";
  options.scf.unrestricted = true;
  const BasisSet basis = load_basis(one.basis, one.molecule, one.spherical);
  EXPECT_THAT([&] { calculate(ricci::World(), one.molecule, basis, options); },
              testing::ThrowsMessage<ricci::InputError>(testing::HasSubstr("integrals of restricted orbitals")));
}

}  // namespace
