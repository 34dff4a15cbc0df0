#pragma once
// Integrals and Fock matrices over spin orbitals by blocks: what the programs that are spin-integrated want to be
// given.
#include <array>
#include <cstdint>
#include <string>

#include <Eigen/Core>

#include <ricci/program.hpp>
#include <ricci/spin.hpp>
#include <ricci/tensor.hpp>

#include "scf/scf.hpp"
#include "transform/mo_integrals.hpp"

namespace cc {

/// The blocks are known by their names. Before `_` stands what it is and the spaces of its modes, `o` or `v`:
/// `V....[p,q,r,s]` = <pq||rs>, `f..[p,q]` the Fock matrix, `e[i]` and `f[a]` its diagonal; behind it their spins. So
/// `Vvvoo_abab` is (ai|bj), where a and i are of alpha spin, b and j of beta spin, and Vvvoo_abba were -(aj|bi).
class SpinBlocks {
 public:
  /// `ao`: the integrals over the functions of the basis. `frozen_core` orbitals of each spin are left out. InputError
  /// where there are fewer electrons of one spin. Collective.
  SpinBlocks(const ScfResult& scf, const ricci::Tensor<double>& ao, int frozen_core);

  /// The sizes of `no` and `nv`.
  ricci::SpinOptions spaces() const;
  /// Collective.
  ricci::Tensor<double> make(const ricci::GivenDeclaration& block) const;

 private:
  /// Orbitals of one spin.
  struct Orbitals {
    Eigen::VectorXd energies;  ///< occupied ones first
    std::int64_t occupied = 0;
  };
  /// A mode of a block.
  struct Mode {
    char space = 'o', spin = 'a';
  };

  const Orbitals& of(char spin) const { return spin == 'a' ? alpha_ : beta_; }
  OrbitalRange range(Mode mode) const;
  ricci::Tensor<double> fock(Mode p, Mode q) const;
  ricci::Tensor<double> antisymmetrised(const std::array<Mode, 4>& modes, const ricci::GivenDeclaration& block) const;

  /// A box of (pr|qs), and the labels of its modes: an alpha pair stands before a beta pair.
  struct Box {
    ricci::Tensor<double> tensor;
    std::string labels;
  };
  Box box(const std::array<Mode, 4>& modes, const std::string& labels) const;

  ricci::World world_;
  Orbitals alpha_, beta_;
  ricci::Tensor<double> alpha_alpha_, alpha_beta_, beta_beta_;  // (pq|rs), both symmetric in their pairs
};

}  // namespace cc
