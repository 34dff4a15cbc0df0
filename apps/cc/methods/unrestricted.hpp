#pragma once
// Open shells: the spin-orbital equations of share/cc/spin_orbital_*.ric, spin-integrated, and the triples.

#include <string>

#include <ricci/program.hpp>
#include <ricci/spin.hpp>

#include "methods/calculation.hpp"
#include "methods/correlation.hpp"
#include "scf/scf.hpp"

namespace cc {

/// share/cc/spin_orbital_NAME.ric over alpha and beta orbitals.
ricci::Program spin_integrated_equations(const std::string& name, ricci::SpinOptions spaces);

/// `integrals`: (pq|rs) of the functions of the basis, which are used up. The lowest `frozen_core` orbitals of each
/// spin are not correlated. Also for restricted references. The energy of somebody's own equations is called
/// `equations_correlation`; they begin with the amplitudes of MP2, and what MP2 has not is zero. InputError where there
/// are fewer electrons of one spin, and where equations want to be given what there is not. Collective.
Correlation correlate_unrestricted(const Store& store, const ScfResult& scf, Held integrals, int frozen_core,
                                   Method method, const CorrelationOptions& options);

/// Whether it can be done in memory. Collective.
bool unrestricted_fits(const Store& store, const ScfResult& scf, int frozen_core, Method method,
                       const std::string& equations);

}  // namespace cc
