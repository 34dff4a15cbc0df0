#include "integrals/libint_shells.hpp"

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace cc {
namespace {

/// Once, and by one thread: the rest of the program may be many.
void start_libint() {
  static const bool started = [] {
    libint2::initialize();
    return true;
  }();
  static_cast<void>(started);
}

}  // namespace

std::vector<libint2::Shell> libint_shells(const Molecule& molecule, const BasisSet& basis) {
  start_libint();
  std::vector<libint2::Shell> shells;
  for (const Shell& shell : basis.shells) {
    if (shell.l > LIBINT2_MAX_AM_eri)
      throw ricci::InputError(
          fmt::format("{} has functions of angular momentum {}, but the integral library on this machine goes up to {} "
                      "only; take a smaller basis set, or build libint2 for more",
                      basis.name, shell.l, LIBINT2_MAX_AM_eri));
    libint2::Shell::Contraction contraction{shell.l, basis.spherical && shell.l > 1, {}};
    contraction.coeff.assign(shell.coefficients.begin(), shell.coefficients.end());
    libint2::svector<double> exponents(shell.exponents.begin(), shell.exponents.end());
    shells.emplace_back(std::move(exponents), libint2::svector<libint2::Shell::Contraction>{std::move(contraction)},
                        molecule.atoms[static_cast<std::size_t>(shell.atom)].at);
  }
  return shells;
}

}  // namespace cc
