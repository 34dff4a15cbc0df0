#pragma once
// Integrals and Fock matrices over spin orbitals by blocks: what the programs that are spin-integrated want to be
// given.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <ricci/program.hpp>
#include <ricci/spin.hpp>
#include <ricci/tensor.hpp>

#include "scf/scf.hpp"
#include "transform/transform.hpp"

namespace cc {

/// The blocks are known by their names. Before `_` stands what it is and the spaces of its modes, `o` or `v`:
/// `V....[p,q,r,s]` = <pq||rs>, `f..[p,q]` the Fock matrix, `e[i]` and `f[a]` its diagonal; `Yvovo[p,q,r,s]` is
/// <pr||qs>, and `G2[a,b,i,j]` one over e[i] + e[j] - f[a] - f[b]. Behind it stand their spins. So
/// `Vvvoo_abab` is (ai|bj), where a and i are of alpha spin, b and j of beta spin, and Vvvoo_abba were -(aj|bi).
class SpinBlocks {
 public:
  /// `frozen_core` orbitals of each spin are left out. InputError where there are fewer electrons of one spin.
  SpinBlocks(const ricci::World& world, const ScfResult& scf, int frozen_core);

  /// The sizes of `no` and `nv`.
  ricci::SpinOptions spaces() const;
  /// Occupied and virtual orbitals of alpha and beta spin, as the functions make them.
  std::vector<OrbitalSet> sets() const;
  /// Whether it is one of <pq||rs>, for which there is `integrals`; all else there is by `make`.
  static bool is_integral(const ricci::GivenDeclaration& block) { return block.name[0] == 'V' || block.name[0] == 'Y'; }
  static IntegralBlock integrals(const ricci::GivenDeclaration& block);
  /// Collective.
  ricci::Tensor<double> make(const ricci::GivenDeclaration& block) const;

 private:
  /// Orbitals of one spin.
  struct Orbitals {
    Eigen::MatrixXd coefficients;
    Eigen::VectorXd energies;  ///< occupied ones first
    std::int64_t occupied = 0;
  };
  /// A mode of a block.
  struct Mode {
    char space = 'o', spin = 'a';
  };
  /// A range of orbitals.
  struct Range {
    std::int64_t first = 0, last = 0;
    std::int64_t count() const { return last - first; }
  };

  static std::array<Mode, 4> modes_of(const std::string& name);
  const Orbitals& of(char spin) const { return spin == 'a' ? alpha_ : beta_; }
  Range range(Mode mode) const;
  ricci::Tensor<double> fock(Mode p, Mode q) const;
  ricci::Tensor<double> inverse_gaps(const ricci::GivenDeclaration& block) const;

  ricci::World world_;
  Orbitals alpha_, beta_;
};

}  // namespace cc
