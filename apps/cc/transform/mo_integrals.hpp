#pragma once
// The integrals over molecular orbitals, from those over the functions of the basis.
#include <cstdint>

#include <Eigen/Core>

#include <ricci/tensor.hpp>

namespace cc {

/// (pq|rs), in the chemists' notation, of the orbitals in the columns of `left` (p, q) and of `right` (r, s). `ao`:
/// (pq|rs) of the functions; all of them are symmetric(0, 1) * symmetric(2, 3). Four steps of n^5. Collective.
ricci::Tensor<double> transformed(const ricci::Tensor<double>& ao, const Eigen::MatrixXd& left,
                                  const Eigen::MatrixXd& right);

/// A matrix as a tensor, with the same elements on all ranks. Collective.
ricci::Tensor<double> as_tensor(const ricci::World& world, const Eigen::MatrixXd& matrix);
ricci::Tensor<double> as_tensor(const ricci::World& world, const Eigen::VectorXd& vector);

/// A range of orbitals: first <= p < last.
struct OrbitalRange {
  std::int64_t first = 0, last = 0;
  std::int64_t count() const { return last - first; }
};

/// The box of such integrals. Pairs whose ranges are one keep their symmetry. Collective.
ricci::Tensor<double> block_of(const ricci::Tensor<double>& mo, OrbitalRange p, OrbitalRange q, OrbitalRange r,
                               OrbitalRange s);

}  // namespace cc
