#pragma once
// Open shells: the spin-orbital equations of share/cc/spin_orbital_*.ric, spin-integrated, and the triples.

#include "methods/calculation.hpp"
#include "methods/correlation.hpp"
#include "scf/scf.hpp"

namespace cc {

/// `integrals`: (pq|rs) of the functions of the basis, which are used up. The lowest `frozen_core` orbitals of each
/// spin are not correlated. Also for restricted references. InputError where there are fewer electrons of one spin.
/// Collective.
Correlation correlate_unrestricted(const Store& store, const ScfResult& scf, Held integrals, int frozen_core,
                                   Method method, const CorrelationOptions& options);

/// Whether it can be done in memory. Collective.
bool unrestricted_fits(const Store& store, const ScfResult& scf, int frozen_core, Method method);

}  // namespace cc
