#pragma once
// The four-index transform: from integrals over functions to blocks of integrals over sets of orbitals. It is a program
// like all others, so that it runs in memory, on ranks and over the disk.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <ricci/program.hpp>

#include "iterate/run_program.hpp"

namespace cc {

/// Orbitals in the columns; the name is of letters, and another one for each set.
struct OrbitalSet {
  std::string name;
  Eigen::MatrixXd coefficients;
};

/// factor * (pq|rs), in the chemists' notation. Of p, q, r and s: which mode of the block it is.
struct IntegralTerm {
  double factor = 1;
  std::array<int, 4> modes = {};
};

/// A tensor of four modes, over one set of orbitals each: the sum of the terms, and of what its symmetry adds to them.
struct IntegralBlock {
  std::string name;
  std::array<int, 4> sets = {};  ///< by mode
  ricci::Symmetry symmetry = {};
  std::vector<IntegralTerm> terms = {};
};

/// Declares as given the integrals F over so many functions, the coefficients C_NAME of sets, and the blocks as
/// outputs. Blocks without elements, or without terms, are not in it.
ricci::Program transform_program(std::int64_t functions, const std::vector<OrbitalSet>& sets,
                                 const std::vector<IntegralBlock>& blocks);

/// The blocks, by name. Uses up the integrals, (pq|rs) symmetric(0, 1) * symmetric(2, 3). Collective.
Tensors transform(const Store& store, Held integrals, const std::vector<OrbitalSet>& sets,
                  const std::vector<IntegralBlock>& blocks, const RunEvents& events = {});

/// A matrix as a tensor, with the same elements on all ranks. Collective.
ricci::Tensor<double> as_tensor(const ricci::World& world, const Eigen::MatrixXd& matrix);
ricci::Tensor<double> as_tensor(const ricci::World& world, const Eigen::VectorXd& vector);

}  // namespace cc
