#include "scf/scf.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "integrals/one_electron.hpp"
#include "ranks/ranks.hpp"
#include "scf/atomic_guess.hpp"
#include "scf/diis.hpp"
#include "scf/energy_diis.hpp"
#include "scf/orthogonal_basis.hpp"

namespace cc {
namespace {

/// The first of the largest elements of each orbital is positive: amplitudes that were kept belong to the same orbitals
/// on any number of ranks.
void choose_signs(Eigen::MatrixXd& orbitals) {
  for (Eigen::Index p = 0; p < orbitals.cols(); ++p) {
    const double largest = orbitals.col(p).cwiseAbs().maxCoeff();
    for (Eigen::Index row = 0; row < orbitals.rows(); ++row) {
      if (std::abs(orbitals(row, p)) < largest - 1e-6) continue;
      if (orbitals(row, p) < 0) orbitals.col(p) *= -1;
      break;
    }
  }
}

using Eigen::MatrixXd;
using Clock = std::chrono::steady_clock;

/// Hartree above the lowest energy up to now.
constexpr double uphill_threshold = 1e-4;

double trace(const MatrixXd& a, const MatrixXd& b) { return a.cwiseProduct(b).sum(); }

/// The iterations. A restricted calculation is of one kind of electrons, of which there are two each.
class Scf {
 public:
  Scf(const Molecule& molecule, const BasisSet& basis, TwoElectron& integrals, const ScfOptions& options)
      : molecule_(molecule),
        basis_(basis),
        integrals_(integrals),
        options_(options),
        restricted_(!options.unrestricted && molecule.multiplicity == 1),
        overlap_(overlap(molecule, basis)),
        kinetic_(kinetic(molecule, basis)),
        attraction_(nuclear_attraction(molecule, basis)),
        orthogonal_(orthogonal_basis(overlap_)) {
    occupied_.push_back(molecule.alpha());
    if (!restricted_) occupied_.push_back(molecule.beta());
    if (molecule.alpha() > orthogonal_.functions.cols())
      throw ricci::InputError(fmt::format(
          "{} has {} independent functions, but there are {} electrons of one spin; take a larger basis set",
          basis.name, orthogonal_.functions.cols(), molecule.alpha()));
  }

  ScfResult run() {
    start();
    double before = 0;
    for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
      const Clock::time_point begin = Clock::now();
      make_focks();
      ScfIteration now{.iteration = iteration, .energy = energy(), .change = 0, .residual = 0, .seconds = 0};
      const MatrixXd residual = residuals();
      now.residual = residual.cwiseAbs().maxCoeff();
      now.change = iteration == 1 ? 0 : now.energy - before;
      before = now.energy;
      const bool converged = iteration > 1 && std::abs(now.change) < options_.energy_threshold &&
                             now.residual < std::max(options_.gradient_threshold, rounding());
      if (!converged) next_densities(residual, now.energy);
      now.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      if (options_.report) options_.report(now);
      if (!std::isfinite(now.energy)) break;
      if (converged) return result(iteration);
    }
    throw ricci::InputError(fmt::format(
        "Hartree-Fock did not converge in {} iterations; try a level shift (of 0.3 to 1 Hartree; now {}), the other "
        "guess, or more iterations, and make sure that charge, multiplicity and geometry are what you mean",
        options_.max_iterations, options_.level_shift));
  }

 private:
  /// Electrons in each orbital of one kind.
  double each() const { return restricted_ ? 2 : 1; }

  MatrixXd in_orthogonal_basis(const MatrixXd& matrix) const {
    return orthogonal_.functions.transpose() * matrix * orthogonal_.functions;
  }

  /// D = C C^T over the occupied orbitals of one kind.
  MatrixXd density_of(const Orbitals& orbitals, int occupied) const {
    const auto c = orbitals.coefficients.leftCols(occupied);
    return c * c.transpose();
  }

  void start() {
    pure_ = options_.guess != Guess::atoms;
    if (pure_) {
      const Orbitals core = orbitals_of(in_orthogonal_basis(kinetic_ + attraction_), orthogonal_.functions);
      for (const int occupied : occupied_) densities_.push_back(density_of(core, occupied));
    } else {
      densities_.assign(occupied_.size(), 0.5 * atomic_density(molecule_, basis_));
    }
  }

  /// F = T + V + J - K for each kind, J being of all electrons.
  void make_focks() {
    sums_ = integrals_.coulomb_exchange(densities_);
    sums_.coulomb *= each();
    focks_.clear();
    for (const MatrixXd& exchange : sums_.exchange) focks_.push_back(kinetic_ + attraction_ + sums_.coulomb - exchange);
  }

  double energy() const {
    double sum = 0;
    for (std::size_t kind = 0; kind < focks_.size(); ++kind)
      sum += 0.5 * each() * trace(densities_[kind], kinetic_ + attraction_ + focks_[kind]);
    return sum + molecule_.nuclear_repulsion();
  }

  /// FDS - SDF of each kind, side by side, in the orthonormal basis.
  MatrixXd residuals() const {
    const Eigen::Index n = orthogonal_.functions.cols();
    MatrixXd all(n, n * static_cast<Eigen::Index>(focks_.size()));
    for (std::size_t kind = 0; kind < focks_.size(); ++kind) {
      const MatrixXd product = in_orthogonal_basis(focks_[kind] * densities_[kind] * overlap_);
      all.middleCols(static_cast<Eigen::Index>(kind) * n, n) = product - product.transpose();
    }
    return all;
  }

  /// What of the residual is nothing but rounding, about: more where functions nearly depend on each other.
  double rounding() const {
    return std::numeric_limits<double>::epsilon() * focks_[0].cwiseAbs().maxCoeff() / orthogonal_.smallest;
  }

  /// From the Fock matrices of all steps. The first density of atoms is not that of orbitals: its residual means
  /// nothing.
  void next_densities(const MatrixXd& residual, double energy) {
    const Eigen::Index n = orthogonal_.functions.cols();
    const MatrixXd half = orthogonal_.functions.transpose() * overlap_;
    MatrixXd fock(n, residual.cols()), density(n, residual.cols());
    for (std::size_t kind = 0; kind < focks_.size(); ++kind) {
      const auto first = static_cast<Eigen::Index>(kind) * n;
      fock.middleCols(first, n) = in_orthogonal_basis(focks_[kind]);
      density.middleCols(first, n) = half * densities_[kind] * half.transpose();
    }
    if (pure_) fock = extrapolated(fock, density, residual, energy);
    for (std::size_t kind = 0; kind < focks_.size(); ++kind) {
      const auto first = static_cast<Eigen::Index>(kind) * n;
      MatrixXd own = fock.middleCols(first, n);
      if (pure_) own += options_.level_shift * (MatrixXd::Identity(n, n) - density.middleCols(first, n));
      densities_[kind] = density_of(orbitals_of(own, orthogonal_.functions), occupied_[kind]);
    }
    pure_ = true;
  }

  /// By DIIS; where that has led uphill, by EDIIS, and DIIS forgets what led it there.
  MatrixXd extrapolated(const MatrixXd& fock, const MatrixXd& density, const MatrixXd& residual, double energy) {
    const MatrixXd by_residual = diis_.extrapolate(fock, residual);
    energy_diis_.add(fock, each() * density, energy);
    const bool uphill = energy > lowest_ + uphill_threshold;
    lowest_ = std::min(lowest_, energy);
    if (!uphill) return by_residual;
    diis_ = Diis();
    return energy_diis_.interpolate();
  }

  ScfResult result(int iterations) const {
    ScfResult result;
    result.energy = energy();
    result.nuclear_repulsion = molecule_.nuclear_repulsion();
    result.restricted = restricted_;
    result.alpha_electrons = molecule_.alpha();
    result.beta_electrons = molecule_.beta();
    result.removed = orthogonal_.removed;
    result.iterations = iterations;
    for (std::size_t kind = 0; kind < focks_.size(); ++kind) {
      const MatrixXd density = each() * densities_[kind];
      result.parts.kinetic += trace(density, kinetic_);
      result.parts.nuclear_attraction += trace(density, attraction_);
      result.parts.coulomb += 0.5 * trace(density, sums_.coulomb);
      result.parts.exchange -= 0.5 * trace(density, sums_.exchange[kind]);
      Orbitals orbitals = orbitals_of(in_orthogonal_basis(focks_[kind]), orthogonal_.functions);
      choose_signs(orbitals.coefficients);
      (kind == 0 ? result.alpha : result.beta) = std::move(orbitals.coefficients);
      (kind == 0 ? result.alpha_energies : result.beta_energies) = std::move(orbitals.energies);
    }
    if (restricted_) {
      result.beta = result.alpha;
      result.beta_energies = result.alpha_energies;
    } else {
      const double half = 0.5 * (molecule_.alpha() - molecule_.beta());
      result.spin_squared =
          half * (half + 1) + molecule_.beta() - trace(densities_[0], overlap_ * densities_[1] * overlap_);
    }
    return result;
  }

  const Molecule& molecule_;
  const BasisSet& basis_;
  TwoElectron& integrals_;
  const ScfOptions& options_;
  bool restricted_;
  MatrixXd overlap_, kinetic_, attraction_;
  OrthogonalBasis orthogonal_;
  std::vector<int> occupied_;  ///< orbitals, of each kind
  std::vector<MatrixXd> densities_, focks_;
  CoulombExchange sums_;
  Diis diis_;
  EnergyDiis energy_diis_;
  double lowest_ = std::numeric_limits<double>::infinity();  ///< energy up to now
  bool pure_ = false;                                        ///< the densities are of orbitals
};

}  // namespace

ScfResult run_scf(const Molecule& molecule, const BasisSet& basis, TwoElectron& integrals, const ScfOptions& options) {
  return Scf(molecule, basis, integrals, options).run();
}

ScfResult run_scf(const Molecule& molecule, const BasisSet& basis, const ScfOptions& options) {
  TwoElectron integrals(molecule, basis, {.threads = options.threads, .memory_bytes = options.memory_bytes});
  return run_scf(molecule, basis, integrals, options);
}

}  // namespace cc
