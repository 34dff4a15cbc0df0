// Whole calculations against other programs, and against themselves where they can be done in two ways.
#include "methods/calculation.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "cases.hpp"
#include "fcidump/fcidump.hpp"
#include "ranks/ranks.hpp"

using namespace cc;

namespace {

BasisSet basis_of(const Case& one) { return load_basis(one.basis, one.molecule, one.spherical); }

CalculationResult calculated(const Case& one, CalculationOptions options) {
  options.frozen_core = one.frozen_core_orbitals;
  return calculate(ricci::World(), one.molecule, basis_of(one), options);
}

void expect_energies(const Case& one, const CalculationResult& result, const std::vector<std::string>& keys) {
  EXPECT_NEAR(result.energies.at("scf_total"), one.energies.at("scf_total"), 1e-9);
  for (const std::string& key : keys) {
    const auto expected = one.energies.find(key);
    if (expected == one.energies.end()) continue;
    ASSERT_EQ(result.energies.count(key), 1U) << key;
    EXPECT_NEAR(result.energies.at(key), expected->second, 1e-8) << key;
  }
}

std::vector<Case> closed_shells() {
  std::vector<Case> result;
  for (const Case& one : cases()) {
    if (one.molecule.multiplicity == 1) result.push_back(one);
  }
  return result;
}

class ClosedShellOnRanks : public testing::TestWithParam<Case> {};

TEST_P(ClosedShellOnRanks, HasTheEnergiesOfOtherPrograms) {
  const CalculationResult result = calculated(GetParam(), {.method = Method::ccsd_t});
  expect_energies(GetParam(), result, {"mp2_correlation", "ccsd_correlation", "t_correction"});
}

INSTANTIATE_TEST_SUITE_P(All, ClosedShellOnRanks, testing::ValuesIn(closed_shells()),
                         [](const auto& info) { return test_name(info.param.name); });
// Those that `make test` runs on several ranks; `make test-long` runs all.
INSTANTIATE_TEST_SUITE_P(Some, ClosedShellOnRanks,
                         testing::Values(case_named("h2o_6-31g_fc"), case_named("h2_cc-pvdz")),
                         [](const auto& info) { return test_name(info.param.name); });

TEST(Calculation, OfOpenShellsHasTheEnergiesOfOtherPrograms) {
  for (const Case& one : cases()) {
    if (one.molecule.multiplicity == 1) continue;
    SCOPED_TRACE(one.name);
    expect_energies(one, calculated(one, {.method = Method::ccsd_t}),
                    {"mp2_correlation", "ccsd_correlation", "t_correction"});
  }
}

TEST(Calculation, OfTwoElectronsIsExact) {
  for (const Case& one : cases()) {
    if (one.molecule.electrons() != 2) continue;
    const CalculationResult result = calculated(one, {.method = Method::ccsd_t});
    EXPECT_NEAR(result.total, one.energies.at("fci_total"), 1e-8) << one.name;
    EXPECT_NEAR(result.energies.at("t_correction"), 0, 1e-12) << one.name;
  }
}

TEST(Calculation, OfTwoFarMoleculesIsTwiceThatOfOne) {
  const Case& one = case_named("h2o_sto-3g");
  Case two = one;
  for (const Atom& atom : one.molecule.atoms) {
    Atom far = atom;
    far.at[0] += 5000;
    two.molecule.atoms.push_back(far);
  }
  for (Method method : {Method::mp2, Method::ccd, Method::ccsd_t})
    EXPECT_NEAR(calculated(two, {.method = method}).total, 2 * calculated(one, {.method = method}).total, 1e-9)
        << name_of(method);
}

TEST(CalculationOnRanks, GoesOnFromACheckpoint) {
  const Case& one = case_named("h2o_6-31g");
  const std::string folder = testing::TempDir() + "/ricci_cc_checkpoint_" + std::to_string(ranks::size());
  CalculationOptions options{.method = Method::ccsd, .max_iterations = 5};
  options.checkpoint = folder;
  EXPECT_THAT([&] { calculated(one, options); },
              testing::ThrowsMessage<ricci::InputError>(testing::HasSubstr("do not converge: after 5 iterations")));
  options.max_iterations = 100;
  options.restart = true;
  int first = 0;
  options.cc_report = [&](const CcIteration& now) { first = first == 0 ? now.iteration : first; };
  const CalculationResult result = calculated(one, options);
  EXPECT_EQ(first, 6);
  EXPECT_NEAR(result.energies.at("ccsd_correlation"), one.energies.at("ccsd_correlation"), 1e-9);
  ranks::barrier();
  if (ranks::rank() == 0) std::filesystem::remove_all(folder);
}

/// With nearly all tensors on disk, in blocks of a few indices.
CalculationResult on_disk(const Case& one, CalculationOptions options) {
  ricci::World world;
  ricci::Options plan = world.options();
  plan.memory_limit = 40'000'000;
  world.set_options(plan);
  options.prefers_disk = true;
  options.frozen_core = one.frozen_core_orbitals;
  options.scratch = testing::TempDir();
  return calculate(world, one.molecule, basis_of(one), options);
}

TEST(CalculationOnRanks, HasTheSameEnergiesOnDisk) {
  for (const char* name : {"h2o_6-31g_fc", "lih_6-31g", "ch2_6-31g"}) {
    SCOPED_TRACE(name);
    const Case& one = case_named(name);
    const CalculationResult result = on_disk(one, {.method = Method::ccsd_t});
    EXPECT_TRUE(result.on_disk);
    expect_energies(one, result, {"mp2_correlation", "ccsd_correlation", "t_correction"});
  }
}

TEST(CalculationOnRanks, GoesOnFromMemoryOnDisk) {
  const Case& one = case_named("h2o_6-31g");
  const std::string folder = testing::TempDir() + "/ricci_cc_on_disk_" + std::to_string(ranks::size());
  CalculationOptions options;
  options.method = Method::ccd;
  options.max_iterations = 4;
  options.checkpoint = folder;
  EXPECT_THROW(calculated(one, options), ricci::InputError);
  options.max_iterations = 100;
  options.restart = true;
  const double turned = on_disk(one, options).energies.at("ccd_correlation");
  EXPECT_NEAR(turned, calculated(one, {.method = Method::ccd}).energies.at("ccd_correlation"), 1e-10);
  ranks::barrier();
  if (ranks::rank() == 0) std::filesystem::remove_all(folder);
}

TEST(CalculationOnRanks, LeavesNothingOnDisk) {
  const std::string folder = testing::TempDir() + "/ricci_cc_scratch_" + std::to_string(ranks::size());
  if (ranks::rank() == 0) std::filesystem::create_directories(folder);
  ranks::barrier();
  ricci::World world;
  world.set_options({.memory_limit = 40'000'000});
  const Case& one = case_named("h2o_sto-3g");
  CalculationOptions options;
  options.method = Method::mp2;
  options.scratch = folder;
  options.prefers_disk = true;
  EXPECT_TRUE(calculate(world, one.molecule, basis_of(one), options).on_disk);
  ranks::barrier();
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  ranks::barrier();
  if (ranks::rank() == 0) std::filesystem::remove_all(folder);
}

TEST(CalculationOnRanks, WritesAHamiltonianFromDisk) {
  const Case& one = case_named("h2o_6-31g");
  const std::string file = testing::TempDir() + "/ricci_cc_dump_" + std::to_string(ranks::size());
  CalculationOptions options;
  options.method = Method::scf;
  options.fcidump = file;
  on_disk(one, options);
  const CalculationResult result = calculate(read_fcidump(file, ricci::World()), {.method = Method::ccsd});
  expect_energies(one, result, {"mp2_correlation", "ccsd_correlation"});
  ranks::barrier();
  if (ranks::rank() == 0) std::filesystem::remove(file);
}

/// An iteration that begins with the same vectors goes on in the same way.
TEST(CalculationOnRanks, GoesOnAsItWouldHave) {
  const Case& one = case_named("h2o_6-31g");
  const std::string folder = testing::TempDir() + "/ricci_cc_path_" + std::to_string(ranks::size());
  std::vector<CcIteration> whole, parts;
  CalculationOptions options;
  options.cc_report = [&](const CcIteration& now) { whole.push_back(now); };
  calculated(one, options);
  options.cc_report = [&](const CcIteration& now) { parts.push_back(now); };
  options.checkpoint = folder;
  options.max_iterations = 5;
  EXPECT_THROW(calculated(one, options), ricci::InputError);
  options.max_iterations = 100;
  options.restart = true;
  calculated(one, options);
  ASSERT_EQ(parts.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(parts[i].energy, whole[i].energy, 1e-12) << i;
  ranks::barrier();
  if (ranks::rank() == 0) std::filesystem::remove_all(folder);
}

TEST(Calculation, RefusesWhatCannotBe) {
  using testing::HasSubstr;
  using testing::ThrowsMessage;
  EXPECT_THAT([] { method_of("mp3"); },
              ThrowsMessage<ricci::InputError>(HasSubstr("there are scf, mp2, ccd, ccsd and ccsd(t)")));
  Case one = case_named("h2o_sto-3g");
  one.frozen_core_orbitals = 6;
  EXPECT_THAT([&] { calculated(one, {.method = Method::mp2}); },
              ThrowsMessage<ricci::InputError>(HasSubstr("--frozen-core 6: H2 O1 has 5 doubly occupied orbitals")));
}

}  // namespace
