#pragma once
// Open shells: the spin-orbital equations of share/cc/spin_orbital_*.ric, spin-integrated, and the triples.
#include <ricci/tensor.hpp>

#include "methods/calculation.hpp"
#include "methods/correlation.hpp"
#include "scf/scf.hpp"

namespace cc {

/// `ao`: (pq|rs) of the functions of the basis. The lowest `frozen_core` orbitals of each spin are not correlated. Also
/// for restricted references. InputError where there are fewer electrons of one spin. Collective.
Correlation correlate_unrestricted(const ScfResult& scf, const ricci::Tensor<double>& ao, int frozen_core,
                                   Method method, const CorrelationOptions& options);

}  // namespace cc
