#pragma once
// Coupled cluster in the space of all determinants of a few spin orbitals, with any Fock matrix and integrals.
#include <array>
#include <cstdint>
#include <vector>

#include <ricci/program.hpp>
#include <ricci/spin.hpp>
#include <ricci/tensor.hpp>

/// The numbers of orbitals of alpha and beta spin.
struct SpinCounts {
  int occupied[2] = {0, 0}, virtuals[2] = {0, 0};
};

/// A Fock matrix, <pq||rs> and amplitudes at random, which conserve spin and have no symmetry beyond what they must.
/// Spin orbitals are numbered: occupied alpha, occupied beta, virtual alpha, virtual beta.
class RandomSpinOrbitals {
 public:
  RandomSpinOrbitals(const SpinCounts& counts, std::uint64_t seed);

  const SpinCounts& counts() const { return counts_; }
  int orbitals() const { return virtuals_to_; }
  int occupied() const { return virtuals_from_; }
  double fock(int p, int q) const { return fock_[at(p, q)]; }
  double integral(int p, int q, int r, int s) const { return integrals_[at(p, q) * pairs() + at(r, s)]; }
  double t1(int a, int i) const { return singles_[at(a, i)]; }
  double t2(int a, int b, int i, int j) const { return doubles_[at(a, b) * pairs() + at(i, j)]; }

  ricci::SpinOptions spaces() const;
  /// The n-th orbital of a space, `o` or `v`, and spin, `a` or `b`.
  int orbital(char space, char spin, std::int64_t n) const;
  /// What the spin-integrated programs of share/cc call so.
  ricci::Tensor<double> block(const ricci::World& world, const ricci::GivenDeclaration& declared) const;

 private:
  std::size_t at(int p, int q) const { return static_cast<std::size_t>(p * orbitals() + q); }
  std::size_t pairs() const { return at(orbitals(), 0); }
  bool is_beta(int p) const;

  SpinCounts counts_;
  int virtuals_from_ = 0, virtuals_to_ = 0;
  std::vector<double> fock_, integrals_, singles_, doubles_;
};

/// Determinants are sets of orbitals, as bits; a wave is a coefficient for each.
using SpinWave = std::vector<double>;

/// exp(-T) H exp(T) of the reference.
class SpinCoupledCluster {
 public:
  SpinCoupledCluster(const RandomSpinOrbitals& orbitals, bool with_singles);

  double correlation_energy() const { return energy_; }
  double single(int a, int i) const;
  double pair(int a, int b, int i, int j) const;

 private:
  /// value * p+ r, or value * p+ q+ s r where there are q and s.
  struct Operator {
    int p, r, q = -1, s = -1;
    double value;
  };
  static double move(const Operator& op, std::uint32_t& determinant);
  static SpinWave apply(const std::vector<Operator>& operators, const SpinWave& wave, double factor);
  static SpinWave exponential(const std::vector<Operator>& operators, SpinWave wave, double factor);

  std::uint32_t reference_;
  double energy_ = 0;
  SpinWave wave_;
};
