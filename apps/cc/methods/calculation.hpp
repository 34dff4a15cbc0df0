#pragma once
// Molecule in, energy out.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ricci/world.hpp>

#include "basis/basis_set.hpp"
#include "fcidump/fcidump.hpp"
#include "iterate/solve.hpp"
#include "molecule/molecule.hpp"
#include "scf/scf.hpp"

namespace cc {

/// `equations`: somebody's own, over spin orbitals.
enum class Method { scf, mp2, ccd, ccsd, ccsd_t, equations };

/// `scf`, `mp2`, `ccd`, `ccsd`, `ccsd(t)`, in any case. InputError, with those that there are.
Method method_of(const std::string& name);
std::string name_of(Method method);

struct CalculationOptions {
  Method method = Method::ccsd;
  std::string equations = {};  ///< the file of Method::equations
  /// Doubly occupied orbitals that are left out of the correlation.
  int frozen_core = 0;
  ScfOptions scf = {};
  int max_iterations = 100;
  double energy_threshold = 1e-10, residual_threshold = 1e-9;
  std::string scratch = {};
  bool prefers_disk = false;    ///< where memory is limited, even what would fit goes there
  std::string fcidump = {};     ///< to write the Hamiltonian to, in the orbitals that are not frozen; empty: no
  std::string checkpoint = {};  ///< folder; empty: none is kept
  bool restart = false;         ///< from the checkpoint
  /// What is going on, on every rank; rank 0 prints.
  std::function<void(const std::string& stage)> stage = {};
  std::function<void(const ScfIteration&)> scf_report = {};
  std::function<void(const CcIteration&)> cc_report = {};
  std::function<void(double done)> progress = {};  ///< of an iteration, or of the triples
  /// What the operations of a program have taken, when it is done with.
  std::function<void(const std::string& program, const std::vector<ricci::OperationReport>&)> timings = {};
};

struct StageSeconds {
  std::string stage;
  double seconds = 0;
};

struct CalculationResult {
  /// With the keys of the reference data: scf_total, mp2_correlation, ccd_correlation, ccsd_correlation, t_correction.
  std::map<std::string, double> energies;
  double total = 0;  ///< SCF and the correlation of the method
  ScfResult scf;
  bool restricted = true;
  bool on_disk = false;    ///< large tensors were, as memory was limited
  double largest_fov = 0;  ///< |f_ia| of a determinant that need not be Hartree-Fock's
  int functions = 0, orbitals = 0;
  int iterations = 0;  ///< of coupled cluster
  std::vector<StageSeconds> seconds;
};

/// The whole calculation: closed shells by the spin-adapted equations, all else (or `scf.unrestricted`) by the
/// spin-integrated ones. The world's options hold the memory limit and threads. ResourceError where
/// it does not fit. Collective.
CalculationResult calculate(const ricci::World& world, const Molecule& molecule, const BasisSet& basis,
                            const CalculationOptions& options);

/// Of a closed shell's Hamiltonian, with all methods but SCF. The determinant of its first orbitals stands in place of
/// SCF: scf_total is its energy, and of `scf` in the result there are energies and numbers of orbitals. InputError for
/// open shells, and for (T) where the determinant is not Hartree-Fock's. Collective.
CalculationResult calculate(Fcidump dump, const CalculationOptions& options);

}  // namespace cc
