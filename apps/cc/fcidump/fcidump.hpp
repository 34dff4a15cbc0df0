#pragma once
// Hamiltonians in the format FCIDUMP, in which programs hand one another the integrals over molecular orbitals.
#include <iosfwd>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <ricci/tensor.hpp>

#include "store/held.hpp"

namespace cc {

/// Of restricted, real orbitals.
struct Fcidump {
  int orbitals = 0, electrons = 0;
  int spin = 0;  ///< 2S
  double core_energy = 0;
  Eigen::MatrixXd one_electron;         ///< h_pq, symmetric
  ricci::Tensor<double> two_electron;   ///< (pq|rs), chemists' notation, symmetric(0, 1) * symmetric(2, 3)
  std::vector<int> orbital_symmetries;  ///< ORBSYM; empty where the file has none
};

/// A header (`&FCI NORB=..., NELEC=..., MS2=..., ... &END`), then lines `value p q r s`: (pq|rs); with r = s = 0 h_pq;
/// with only p the energy of an orbital, which is passed over; with none the core energy. Lines come in any order, and
/// each integral under any of its eight names, once or several times, if with the same value. What has no line is zero.
/// InputError, with `file:line:`, for all else, and for integrals of unrestricted orbitals. Every rank reads the file;
/// integrals go to the tensor in batches. Collective, over all ranks, which are those of the world.
Fcidump read_fcidump(const std::string& path, const ricci::World& world);
/// The same from text; `name` stands for the file in messages.
Fcidump read_fcidump(std::istream& in, const std::string& name, const ricci::World& world);

/// Each integral that is not zero once, with all its digits; those over two electrons from `two_electron`, in place of
/// the dump's. The file is there as a whole or not at all. InputError where it cannot be written. Collective.
void write_fcidump(const std::string& path, const Fcidump& dump, const Held& two_electron);

}  // namespace cc
