// The (T) energy of open shells against loops over spin orbitals and other programs.
#include "triples/unrestricted_triples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>
#include <ricci/spin.hpp>

#include "cases.hpp"
#include "methods/closed_shell.hpp"
#include "methods/unrestricted.hpp"
#include "spin_orbital_oracle.hpp"

using namespace cc;

namespace {

/// What the program of CCSD is given, which has all that (T) wants.
Tensors blocks_of(const RandomSpinOrbitals& orbitals) {
  const ricci::World world;
  const ricci::Program program = spin_integrated_equations("ccsd", orbitals.spaces());
  Tensors blocks;
  for (const ricci::GivenDeclaration& declared : program.given()) {
    if (!declared.is_output) blocks.emplace(declared.name, orbitals.block(world, declared));
  }
  return blocks;
}

/// Knows nothing of spin: sums over all spin orbitals, and over all orders of three of them.
class PlainTriples {
 public:
  explicit PlainTriples(const RandomSpinOrbitals& orbitals)
      : h_(orbitals), o_(orbitals.occupied()), n_(orbitals.orbitals()) {}

  double energy() const {
    double sum = 0;
    for (int i = 0; i < o_; ++i) {
      for (int j = 0; j < i; ++j) {
        for (int k = 0; k < j; ++k) sum += of({i, j, k});
      }
    }
    return sum;
  }

 private:
  using Three = std::array<int, 3>;

  double of(const Three& ijk) const {
    double sum = 0;
    for (int a = o_; a < n_; ++a) {
      for (int b = o_; b < a; ++b) {
        for (int c = o_; c < b; ++c) sum += of(ijk, {a, b, c});
      }
    }
    return sum;
  }

  double of(const Three& ijk, const Three& abc) const {
    double connected = 0, disconnected = 0, gap = 0;
    for_orders(ijk, [&](const Three& i, double sign) {
      for_orders(abc, [&](const Three& a, double other_sign) {
        connected += 0.25 * sign * other_sign * product(i, a);
        disconnected += 0.25 * sign * other_sign * h_.t1(a[0], i[0]) * h_.integral(i[1], i[2], a[1], a[2]);
      });
    });
    for (const int i : ijk) gap += h_.fock(i, i);
    for (const int a : abc) gap -= h_.fock(a, a);
    return connected * (connected + disconnected) / gap;
  }

  double product(const Three& i, const Three& a) const {
    double sum = 0;
    for (int d = o_; d < n_; ++d) sum += h_.t2(a[0], d, i[1], i[2]) * h_.integral(d, i[0], a[1], a[2]);
    for (int l = 0; l < o_; ++l) sum -= h_.t2(a[1], a[2], i[0], l) * h_.integral(l, a[0], i[1], i[2]);
    return sum;
  }

  template <class F>
  static void for_orders(Three p, const F& f) {
    std::sort(p.begin(), p.end());
    do {
      const int inversions = (p[0] > p[1]) + (p[0] > p[2]) + (p[1] > p[2]);
      f(p, inversions % 2 == 0 ? 1.0 : -1.0);
    } while (std::next_permutation(p.begin(), p.end()));
  }

  const RandomSpinOrbitals& h_;
  int o_, n_;
};

TEST(UnrestrictedTriplesOnRanks, AreTheSumOverSpinOrbitals) {
  const SpinCounts all[] = {{{3, 0}, {3, 0}}, {{0, 3}, {0, 4}}, {{2, 1}, {2, 1}}, {{1, 2}, {1, 2}}, {{2, 1}, {3, 2}},
                            {{1, 2}, {3, 2}}, {{3, 2}, {3, 4}}, {{2, 3}, {4, 3}}, {{4, 0}, {3, 2}}, {{0, 4}, {2, 3}},
                            {{4, 1}, {4, 0}}, {{1, 3}, {0, 4}}, {{3, 3}, {3, 3}}, {{3, 1}, {2, 4}}};
  std::uint64_t seed = 1;
  for (const SpinCounts& counts : all) {
    SCOPED_TRACE(testing::Message() << counts.occupied[0] << '+' << counts.occupied[1] << " occupied, "
                                    << counts.virtuals[0] << '+' << counts.virtuals[1] << " virtual");
    const RandomSpinOrbitals orbitals(counts, seed++);
    const double expected = PlainTriples(orbitals).energy();
    EXPECT_NE(expected, 0);
    EXPECT_NEAR(unrestricted_triples(blocks_of(orbitals)), expected, 1e-12 * (1 + std::abs(expected)));
  }
}

TEST(UnrestrictedTriplesOnRanks, AreNoneOfTooFewElectronsOrOrbitals) {
  for (const SpinCounts& counts : {SpinCounts{{1, 1}, {3, 3}},
                                   {{2, 0}, {3, 3}},
                                   {{3, 0}, {2, 3}},
                                   {{2, 1}, {2, 0}},
                                   {{2, 2}, {1, 1}},
                                   {{0, 0}, {2, 2}},
                                   {{1, 0}, {0, 0}}})
    EXPECT_EQ(unrestricted_triples(blocks_of(RandomSpinOrbitals(counts, 1))), 0);
}

TEST(UnrestrictedTriplesOnRanks, AreTheSameOnThreads) {
  const RandomSpinOrbitals orbitals({{4, 3}, {5, 6}}, 2);
  const Tensors blocks = blocks_of(orbitals);
  const double expected = unrestricted_triples(blocks);
  EXPECT_NEAR(unrestricted_triples(blocks, {.threads = 2}), expected, 1e-13 * std::abs(expected));
}

TEST(UnrestrictedTriplesOnRanks, SayHowFarTheyAre) {
  double last = 0;
  const auto progress = [&](double done) {
    EXPECT_GT(done, last);
    EXPECT_LE(done, 1);
    last = done;
  };
  unrestricted_triples(blocks_of(RandomSpinOrbitals({{3, 3}, {3, 3}}, 3)), {.progress = progress});
  EXPECT_GT(last, 0.7);
}

TEST(UnrestrictedTriplesOnRanks, RefuseWhatDoesNotFit) {
  const Tensors blocks = blocks_of(RandomSpinOrbitals({{3, 2}, {4, 4}}, 4));
  EXPECT_THAT([&] { unrestricted_triples(blocks, {.memory_limit = 4'000'000}); },
              testing::ThrowsMessage<ricci::ResourceError>(testing::HasSubstr("give --memory more")));
}

double correction(const Case& one) {
  const BasisSet basis = load_basis(one.basis, one.molecule, one.spherical);
  TwoElectron integrals(one.molecule, basis);
  const ScfResult scf = run_scf(one.molecule, basis, integrals, {.unrestricted = true});
  const Store store{ricci::World()};
  return correlate_unrestricted(store, scf, Held(integrals.tensor(store.world())), one.frozen_core_orbitals,
                                Method::ccsd_t, {})
      .energies.at("t_correction");
}

TEST(UnrestrictedTriplesOnRanks, OfOpenShellsAreThoseOfOtherPrograms) {
  for (const char* name : {"ch2_6-31g", "ch2_6-31g_fc", "oh_cc-pvdz"}) {
    const Case& one = case_named(name);
    EXPECT_NEAR(correction(one), one.energies.at("t_correction"), 1e-8) << name;
  }
}

TEST(UnrestrictedTriples, OfAClosedShellAreThoseOfTheClosedShell) {
  const Case& one = case_named("h2o_6-31g");
  const BasisSet basis = load_basis(one.basis, one.molecule, one.spherical);
  TwoElectron integrals(one.molecule, basis);
  const ScfResult scf = run_scf(one.molecule, basis, integrals, {});
  const Store store{ricci::World()};
  const ricci::Tensor<double> ao = integrals.tensor(store.world());
  const Correlation closed =
      correlate(store, {Held(ao), scf.alpha, scf.alpha_energies, scf.alpha_electrons}, Method::ccsd_t, {});
  const Correlation open = correlate_unrestricted(store, scf, Held(ao), 0, Method::ccsd_t, {});
  EXPECT_NEAR(open.energies.at("t_correction"), closed.energies.at("t_correction"), 1e-11);
}

}  // namespace
