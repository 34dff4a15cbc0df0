#pragma once
// What a rank has of its own while it computes triples of a closed shell.
#include <array>
#include <cstdint>
#include <vector>

#include <ricci/tensor.hpp>

#include "triples/closed_shell_triples.hpp"
#include "triples/triple_energy.hpp"

namespace cc {

/// With x for a virtual d and then an occupied l,
///
///     W[abc] = sum over the six orders of (i,a), (j,b), (k,c), and over x, of G_i[a,b,x] S_kj[c,x]
///     G_i[a,b,x] = (ai|bd) for d, -t[a,b,i,l] for l;  S_kj[c,x] = t[c,d,k,j] for d, (ck|jl) for l
///
/// so that the sums over virtual and over occupied orbitals are one matrix product.
class TriplesFactors {
 public:
  /// Collective, as is g(). `at_once`: for how many k integrals are asked for in one go.
  TriplesFactors(const ClosedShellTriples& input, int threads, std::int64_t at_once);

  /// G_i for lo <= i < hi.
  std::vector<ricci::Tensor<double>> g(std::int64_t lo, std::int64_t hi) const;
  /// W[a,b,c], or the half of it that triple_energy wants where two of i >= j >= k are alike; until the next call.
  const ricci::Tensor<double>& compute_w(std::array<const ricci::Tensor<double>*, 3> g,
                                         std::array<std::int64_t, 3> ijk);
  OccupiedTriple triple(std::array<std::int64_t, 3> ijk) const;

  /// That a rank needs for it, and for making it.
  static std::int64_t bytes(std::int64_t o, std::int64_t v, std::int64_t at_once);

 private:
  void make_s();
  const ricci::Tensor<double>& s(std::int64_t k, std::int64_t j) const;

  const ClosedShellTriples& input_;
  ricci::World world_;
  std::int64_t o_, v_, at_once_;
  std::vector<double> singles_;   // i, a
  std::vector<double> t2_;        // a, b, i, j
  std::vector<double> exchange_;  // i, j, a, b
  std::vector<ricci::Tensor<double>> s_;
  // Parts of W, as matrix products make them best: with rows that S gives.
  ricci::Tensor<double> abc_, acb_, bca_;
};

}  // namespace cc
