#pragma once
// The integrals over two electrons, (pq|rs) = int p(1) q(1) 1/r12 r(2) s(2), for matrices, tensors and boxes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <ricci/tensor.hpp>

#include "integrals/repulsion.hpp"
#include "integrals/shell_pairs.hpp"
#include "store/store.hpp"

namespace cc {

struct TwoElectronOptions {
  int threads = 1;
  /// What this rank may keep of the integrals, so that later calls need not make them again. 0: half of the memory of
  /// the machine, over the ranks.
  std::int64_t memory_bytes = 0;
  /// Integrals whose Schwarz bound is below are taken for zero.
  double threshold = 1e-14;
};

/// J of the sum of some densities, J_pq = sum_rs (pq|rs) D_rs, and K of each, K_pr = sum_qs (pq|rs) D_qs.
struct CoulombExchange {
  Eigen::MatrixXd coulomb;
  std::vector<Eigen::MatrixXd> exchange;
};

/// Each rank makes a share of the quartets of shells, the same one at every call.
class TwoElectron {
 public:
  TwoElectron(const Molecule& molecule, const BasisSet& basis, const TwoElectronOptions& options = {});

  int functions() const { return repulsion_.functions(); }

  /// Of symmetric densities. Collective; the same bits on all ranks, and in every run of so many ranks and threads.
  CoulombExchange coulomb_exchange(std::span<const Eigen::MatrixXd> densities);

  /// All of (pq|rs), packed for p <= q and r <= s. Collective over all ranks, which are those of the world.
  ricci::Tensor<double> tensor(const ricci::World& world) const;

  /// The same on disk, block by block. Collective.
  Held on_disk(const Store& store) const;

  /// The box lo <= (p, q, r, s) < hi, dense and row-major. Not collective; several threads may ask at once.
  void block(const std::array<std::int64_t, 4>& lo, const std::array<std::int64_t, 4>& hi, double* out) const;

  /// Frees what coulomb_exchange() has kept.
  void forget();
  /// What this rank has kept up to now.
  std::int64_t kept_bytes() const;

 private:
  /// The integrals of a pair and those before it, one quartet after the other.
  struct Row {
    std::size_t pair = 0;
    std::size_t values = 0;  ///< their number
    bool keep = false;       ///< there is room for them
    std::vector<double> kept = {};
  };

  /// f(bra, ket, values) for all quartets of a row that matter.
  template <class F>
  void for_each_quartet(const Row& row, Repulsion::Engine& engine, F f) const;
  /// Keeps the row, if that was planned; else passes over what does not matter with such densities of pairs of shells.
  template <class F>
  void for_each_quartet(Row& row, Repulsion::Engine& engine, const Eigen::MatrixXd& largest, F f) const;
  bool negligible(const ShellPair& bra, const ShellPair& ket, const Eigen::MatrixXd& largest) const;
  Eigen::MatrixXd largest_densities(std::span<const Eigen::MatrixXd> densities) const;
  void write_rows(std::span<const Row* const> rows, ricci::Tensor<double>& tensor) const;

  int threads_;
  Repulsion repulsion_;
  ShellPairs pairs_;
  std::vector<std::vector<Row>> rows_;  ///< of this rank, for each thread
};

}  // namespace cc
