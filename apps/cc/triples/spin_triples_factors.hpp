#pragma once
// What a rank has of its own while it computes triples of which two or three electrons are of one spin.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <ricci/tensor.hpp>

#include "store/held.hpp"
#include "triples/dense_block.hpp"
#include "triples/spin_triple_energy.hpp"

namespace cc {

/// Of one spin: its occupied and virtual orbitals, and their energies.
struct SpinOrbitals {
  std::vector<double> occupied_energies, virtual_energies;
  std::int64_t o() const { return std::ssize(occupied_energies); }
  std::int64_t v() const { return std::ssize(virtual_energies); }
};

/// With x for a virtual d and then an occupied l, both of the one spin that leaves an element other than zero,
///
///     W[abc] = P(i/jk) P(a/bc) sum over x of G_i[bc,x] S_jk[a,x]
///     G_i[bc,x] = <id||bc> for d, t[b,c,i,l] for l;  S_jk[a,x] = -t[a,d,j,k] for d, <jk||al> for l
///
/// so that the sums over virtual and over occupied orbitals are one matrix product.
class SpinTriplesFactors {
 public:
  /// `blocks`: as for unrestricted_triples. Of three electrons two or more have the spin `like`, `a` or `b`.
  /// Collective.
  SpinTriplesFactors(const Tensors& blocks, char like, const std::array<SpinOrbitals, 2>& alpha_beta, int threads);

  /// Whether there are triples of this spin alone, and with one electron of the other spin.
  static bool any_like(const SpinOrbitals& like);
  static bool any_mixed(const SpinOrbitals& like, const SpinOrbitals& other);

  /// Of i > j > k. Where any_like().
  double like_energy(std::int64_t i, std::int64_t j, std::int64_t k);
  /// Of i > j, and k of the other spin. Where any_mixed().
  double mixed_energy(std::int64_t i, std::int64_t j, std::int64_t k);

  /// That a rank needs for it, and for making it.
  static std::int64_t bytes(const SpinOrbitals& like, const SpinOrbitals& other);

 private:
  using Matrices = std::vector<ricci::Tensor<double>>;
  void make_like(const Tensors& blocks);
  void make_mixed(const Tensors& blocks);
  void make_mixed_g(const Tensors& blocks, const DenseBlock& t);
  void make_mixed_s(const Tensors& blocks, const DenseBlock& t);
  DenseBlock both_exchanged(const Held& block) const;
  DenseBlock mixed_integrals(const Tensors& blocks, char spin, std::int64_t i) const;
  template <class Virtual, class Occupied>
  ricci::Tensor<double> matrix(std::int64_t rows, const SpinOrbitals& x, Virtual d, Occupied l) const;
  /// Of i of the spin `like` and k of the other.
  std::size_t both(std::int64_t i, std::int64_t k) const;

  char like_spin_, other_spin_;
  const SpinOrbitals &like_, &other_;
  int threads_;
  ricci::World world_;
  std::vector<double> like_singles_, other_singles_;      // i, a
  std::vector<double> like_integrals_, mixed_integrals_;  // i > j, or i and j, and a, b: <ab||ij>
  // G_i[bc,x] for three of the spin `like`; for c of the other spin and i of this one, or of the other, too.
  Matrices g_like_, g_mixed_, g_other_;
  // S_jk[a,x], where a and j are `like`, and k and x are, too; or are of the other spin. The last: k and a are of the
  // other spin.
  Matrices s_like_, s_mixed_, s_other_;
  // Parts of W: the arguments x and y of the functions of spin_triple_energy.hpp.
  ricci::Tensor<double> x_like_, x_mixed_, y_mixed_;
};

}  // namespace cc
