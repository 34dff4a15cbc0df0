// The programs of share/cc against coupled cluster in the space of all determinants.
#include <cmath>
#include <complex>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ricci/program.hpp>

#include "closed_shell_oracle.hpp"

using ricci::Tensor;

namespace {

using Orbitals = const std::vector<int>&;

/// The tensors that the programs are given, under the names that they have there.
std::map<std::string, Tensor<double>> inputs_of(const RandomShell& shell) {
  const auto f = [&](Orbitals p) { return shell.fock(p.front(), p.back()); };
  const auto g = [&](int p, int q, int r, int s) { return shell.integral(p, q, r, s); };
  const auto direct = [&](Orbitals p) { return g(p[0], p[1], p[2], p[3]); };
  const auto crossed = [&](Orbitals p) { return g(p[0], p[2], p[1], p[3]); };
  const auto sum = [&](Orbitals p) { return g(p[0], p[2], p[1], p[3]) + g(p[0], p[3], p[1], p[2]); };
  const auto difference = [&](Orbitals p) { return g(p[0], p[2], p[1], p[3]) - g(p[0], p[3], p[1], p[2]); };
  using ricci::antisymmetric, ricci::symmetric;

  std::map<std::string, Tensor<double>> inputs;
  inputs["foo"] = shell.tensor("oo", f);
  inputs["fov"] = shell.tensor("ov", f);
  inputs["fvv"] = shell.tensor("vv", f);
  inputs["e"] = shell.tensor("o", f);
  inputs["f"] = shell.tensor("v", f);
  inputs["O"] = shell.tensor("oooo", direct, symmetric(0, 1) * symmetric(2, 3));
  inputs["M"] = shell.tensor("ooov", direct, symmetric(0, 1));
  inputs["J"] = shell.tensor("vvoo", direct, symmetric(0, 1) * symmetric(2, 3));
  inputs["K"] = shell.tensor("vvoo", crossed);
  inputs["Gp"] = shell.tensor("ovvv", sum, symmetric(2, 3));
  inputs["Gm"] = shell.tensor("ovvv", difference, antisymmetric(2, 3));
  inputs["Vp"] = shell.tensor("vvvv", sum, symmetric(0, 1) * symmetric(2, 3));
  inputs["Vm"] = shell.tensor("vvvv", difference, antisymmetric(0, 1) * antisymmetric(2, 3));
  inputs["T1"] = shell.tensor("vo", [](Orbitals) { return 0.; });
  inputs["T1"].assign_dense(shell.t1);
  inputs["T2"] = shell.tensor("vvoo", [](Orbitals) { return 0.; });
  inputs["T2"].assign_dense(shell.t2);
  return inputs;
}

struct Outcome {
  double energy = 0;
  std::map<std::string, std::vector<double>> outputs;
};

/// A program of share/cc, and what it is given and hands back.
struct Subject {
  std::string name;
  std::vector<std::string> inputs, outputs;
};

const Subject mp2 = {"closed_shell_mp2.ric", {"fov", "e", "f", "K"}, {"T1", "T2"}};
const Subject ccd = {"closed_shell_ccd.ric", {"foo", "fvv", "e", "f", "O", "J", "K", "Vp", "Vm", "T2"}, {"R2"}};
const Subject ccsd = {
    "closed_shell_ccsd.ric",
    {"foo", "fov", "fvv", "e", "f", "O", "M", "J", "K", "Gp", "Gm", "Vp", "Vm", "T1", "T2"},
    {"R1", "R2"},
};

Outcome run(const Subject& subject, const RandomShell& shell) {
  const auto program = ricci::Program::load(std::string(RICCI_CC_TESTS) + "/../../share/cc/" + subject.name,
                                            {.spaces = {{"no", shell.occupied}, {"nv", shell.virtuals}}});
  const ricci::World& world = shell.world;
  const std::int64_t o = shell.occupied, v = shell.virtuals;
  std::map<std::string, Tensor<double>> inputs = inputs_of(shell), outputs;
  ricci::ProgramRunOptions options;
  for (const std::string& name : subject.inputs) options.tensors[name] = &inputs.at(name);
  for (const std::string& name : subject.outputs) {
    outputs[name] = name[1] == '1' ? Tensor<double>(world, {v, o}) : Tensor<double>(world, {v, v, o, o});
    options.tensors[name] = &outputs.at(name);
  }
  Outcome outcome;
  options.events.print = [&](const std::string&, std::complex<double> value) { outcome.energy = value.real(); };
  ricci::plan(program, world, world.options()).run(world, options);
  for (const auto& [name, tensor] : outputs) outcome.outputs[name] = tensor.gather();
  return outcome;
}

/// What the program adds to the amplitudes, times the denominators, is exp(-T) H exp(T) between determinants.
void expect_residuals(const Subject& subject, const RandomShell& shell, bool with_singles) {
  const Outcome outcome = run(subject, shell);
  const DeterminantSpace space(shell);
  const Wave ket = space.hamiltonian(space.exponential(space.reference(), 1, with_singles));
  const Wave wave = space.exponential(ket, -1, with_singles);
  const auto at_reference = [&](const Wave& of) { return of[(std::size_t{1} << (2 * shell.occupied)) - 1]; };
  const double energy = at_reference(wave) - at_reference(space.hamiltonian(space.reference()));
  EXPECT_NEAR(outcome.energy, energy, 1e-12 * (1 + std::abs(energy)));

  const int o = shell.occupied, v = shell.virtuals;
  const auto gap = [&](int a, int i) { return shell.fock(i, i) - shell.fock(a + o, a + o); };
  const double tolerance = 1e-12 * std::sqrt(static_cast<double>(o * v)) * (o + v) * (o + v);
  for (int a = 0; a < v; ++a) {
    for (int i = 0; i < o; ++i) {
      if (with_singles) {
        const double r = outcome.outputs.at("R1")[static_cast<std::size_t>(a * o + i)];
        EXPECT_NEAR(r * gap(a, i), space.single(wave, a, i), tolerance);
      }
      for (int b = 0; b < v; ++b) {
        for (int j = 0; j < o; ++j) {
          const double r = outcome.outputs.at("R2")[static_cast<std::size_t>(((a * v + b) * o + i) * o + j)];
          EXPECT_NEAR(r * (gap(a, i) + gap(b, j)), space.pair(wave, a, b, i, j), tolerance);
        }
      }
    }
  }
}

constexpr std::pair<int, int> sizes[] = {{1, 1}, {1, 3}, {3, 1}, {2, 3}};

TEST(ClosedShellProgramsOnRanks, CcsdIsThatOfDeterminants) {
  for (const auto& [o, v] : sizes) {
    SCOPED_TRACE(testing::Message() << o << " occupied, " << v << " virtual");
    expect_residuals(ccsd, RandomShell(o, v, false, 1), true);
  }
}

TEST(ClosedShellProgramsOnRanks, CcdIsThatOfDeterminants) {
  for (const auto& [o, v] : sizes) {
    SCOPED_TRACE(testing::Message() << o << " occupied, " << v << " virtual");
    expect_residuals(ccd, RandomShell(o, v, false, 2), false);
  }
}

TEST(ClosedShellProgramsOnRanks, Mp2IsTheFirstStep) {
  const RandomShell shell(2, 3, false, 3);
  const Outcome outcome = run(mp2, shell);
  const int o = shell.occupied, v = shell.virtuals;
  double energy = 0;
  for (int a = 0; a < v; ++a) {
    for (int i = 0; i < o; ++i) {
      const double gap = shell.fock(i, i) - shell.fock(a + o, a + o), fock = shell.fock(i, a + o);
      EXPECT_NEAR(outcome.outputs.at("T1")[static_cast<std::size_t>(a * o + i)], fock / gap, 1e-14);
      energy += 2 * fock * fock / gap;
      for (int b = 0; b < v; ++b) {
        for (int j = 0; j < o; ++j) {
          const double pair_gap = gap + shell.fock(j, j) - shell.fock(b + o, b + o);
          const double k = shell.integral(a + o, i, b + o, j), t = k / pair_gap;
          EXPECT_NEAR(outcome.outputs.at("T2")[static_cast<std::size_t>(((a * v + b) * o + i) * o + j)], t, 1e-14);
          energy += t * (2 * k - shell.integral(a + o, j, b + o, i));
        }
      }
    }
  }
  EXPECT_NEAR(outcome.energy, energy, 1e-13);
}

}  // namespace
