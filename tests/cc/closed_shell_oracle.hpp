#pragma once
// Coupled cluster of small closed shells in the space of all determinants: nothing here knows an equation of it.
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ricci/tensor.hpp>
#include <ricci/world.hpp>

/// Random integrals with the symmetries of real orbitals, and random amplitudes. Spatial orbitals, the occupied first.
struct RandomShell {
  int occupied = 0, virtuals = 0;
  bool canonical = false;
  ricci::World world;                ///< that its tensors belong to
  std::vector<double> f, g, t1, t2;  ///< Fock matrix, (pq|rs), t[a,i], t[a,b,i,j]; row-major

  RandomShell(int occupied, int virtuals, bool canonical, std::uint64_t seed);
  int orbitals() const { return occupied + virtuals; }
  double fock(int p, int q) const { return f[static_cast<std::size_t>(p * orbitals() + q)]; }
  double integral(int p, int q, int r, int s) const;
  /// Where a mode runs over all orbitals of a kind: `tensor("ovvo", f)` has f of the orbitals' numbers.
  ricci::Tensor<double> tensor(const std::string& kinds, const std::function<double(const std::vector<int>&)>& value,
                               const ricci::Symmetry& symmetry = {}) const;
};

/// The coefficients of all determinants.
using Wave = std::vector<double>;

/// Its spin orbitals are 2 p + spin; a determinant has the bits of those that are occupied.
class DeterminantSpace {
 public:
  explicit DeterminantSpace(const RandomShell& shell);

  Wave reference() const;
  Wave hamiltonian(const Wave& wave) const;
  /// sum of t[a,i] E_ai and 1/2 t[a,b,i,j] E_ai E_bj, with E_ai the sum of the excitations of both spins.
  Wave singles(const Wave& wave) const;
  Wave doubles(const Wave& wave) const;
  /// exp(sign (T1 + T2))
  Wave exponential(const Wave& wave, double sign, bool with_singles) const;

  /// What E_ai of spin up, or E_ai of spin up and E_bj of spin down, make of the reference: its coefficient.
  double single(const Wave& wave, int a, int i) const;
  double pair(const Wave& wave, int a, int b, int i, int j) const;
  /// The fourth-order energy of connected and the fifth of disconnected triples, determinant by determinant.
  double triples_energy() const;

 private:
  /// sign * determinant; no sign: nothing.
  struct Signed {
    std::uint32_t bits = 0;
    double sign = 0;
  };
  static Signed move(Signed from, int to, int of);
  Wave excited(const Wave& wave, int a, int i) const;

  const RandomShell& shell_;
  std::uint32_t reference_ = 0;
};
