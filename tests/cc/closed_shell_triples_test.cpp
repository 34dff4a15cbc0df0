// The (T) energy against a sum over determinants.
#include "triples/closed_shell_triples.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "closed_shell_oracle.hpp"

using namespace cc;
using ricci::Tensor;

namespace {

/// Everything that (T) wants of a random shell.
struct TriplesOf {
  const RandomShell& shell;
  Held t1, t2, m, k, gp, gm;
  std::vector<double> e, f;

  explicit TriplesOf(const RandomShell& of)
      : shell(of),
        t1(dense({of.virtuals, of.occupied}, of.t1)),
        t2(dense({of.virtuals, of.virtuals, of.occupied, of.occupied}, of.t2)),
        m(shell.tensor(
            "ooov", [&](Orbitals p) { return g(p[0], p[1], p[2], p[3]); }, ricci::symmetric(0, 1))),
        k(shell.tensor("vvoo", [&](Orbitals p) { return g(p[0], p[2], p[1], p[3]); })),
        gp(shell.tensor(
            "ovvv", [&](Orbitals p) { return g(p[0], p[2], p[1], p[3]) + g(p[0], p[3], p[1], p[2]); },
            ricci::symmetric(2, 3))),
        gm(shell.tensor(
            "ovvv", [&](Orbitals p) { return g(p[0], p[2], p[1], p[3]) - g(p[0], p[3], p[1], p[2]); },
            ricci::antisymmetric(2, 3))) {
    for (int p = 0; p < shell.orbitals(); ++p) (p < shell.occupied ? e : f).push_back(shell.fock(p, p));
  }
  using Orbitals = const std::vector<int>&;
  double g(int p, int q, int r, int s) const { return shell.integral(p, q, r, s); }
  Held dense(const ricci::Extents& extents, const std::vector<double>& values) const {
    Tensor<double> tensor(shell.world, extents);
    tensor.assign_dense(values);
    return Held(std::move(tensor));
  }
  ClosedShellTriples input() const { return {t1, t2, m, k, integrals_from(gp, gm), e, f}; }
};

TEST(ClosedShellTriplesOnRanks, AreTheSumOverDeterminants) {
  for (const auto& [o, v] : {std::pair{1, 3}, {2, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 1}}) {
    const RandomShell shell(o, v, true, 1);
    const TriplesOf triples(shell);
    const double expected = DeterminantSpace(shell).triples_energy();
    EXPECT_NEAR(closed_shell_triples(triples.input()), expected, 1e-12 * std::abs(expected)) << o << ' ' << v;
  }
}

TEST(ClosedShellTriplesOnRanks, AreTheSameInBlocksAndOnThreads) {
  const RandomShell shell(5, 17, true, 2);
  const TriplesOf triples(shell);
  const double expected = closed_shell_triples(triples.input());
  EXPECT_NEAR(closed_shell_triples(triples.input(), {.threads = 2}), expected, 1e-13 * std::abs(expected));
  int asked = 0;
  ClosedShellTriples input = triples.input();
  input.integrals = [&, all = input.integrals](std::int64_t lo, std::int64_t hi) { return ++asked, all(lo, hi); };
  EXPECT_NEAR(closed_shell_triples(input, {.memory_limit = 4'700'000}), expected, 1e-13 * std::abs(expected));
  EXPECT_GT(asked, 5) << "integrals were not asked for in blocks";
}

TEST(ClosedShellTriplesOnRanks, SayHowFarTheyAre) {
  const RandomShell shell(4, 3, true, 3);
  const TriplesOf triples(shell);
  double last = 0;
  const auto progress = [&](double done) {
    EXPECT_GT(done, last);
    EXPECT_LE(done, 1);
    last = done;
  };
  closed_shell_triples(triples.input(), {.progress = progress});
  EXPECT_GT(last, 0.7);
}

TEST(ClosedShellTriplesOnRanks, RefuseWhatDoesNotFit) {
  const RandomShell shell(2, 20, true, 4);
  const TriplesOf triples(shell);
  EXPECT_THAT([&] { closed_shell_triples(triples.input(), {.memory_limit = 4'100'000}); },
              testing::ThrowsMessage<ricci::ResourceError>(testing::HasSubstr("give --memory more")));
}

TEST(ClosedShellTriplesOnRanks, RefuseTensorsOfOtherOrbitals) {
  const RandomShell shell(2, 3, true, 5);
  const TriplesOf triples(shell);
  ClosedShellTriples input = triples.input();
  input.virtual_energies.push_back(1);
  EXPECT_THAT([&] { closed_shell_triples(input); },
              testing::ThrowsMessage<ricci::InputError>(testing::HasSubstr("t1 of the triples has the extents 3,2")));
}

}  // namespace
