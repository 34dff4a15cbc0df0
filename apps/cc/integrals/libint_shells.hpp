#pragma once
// Shells as libint2 wants them. For the .cpp files of this folder alone: nobody else sees libint2.
#define LIBINT2_DOES_NOT_INLINE_ENGINE
#include <vector>

#include <libint2/engine.h>
#include <libint2/initialize.h>

#include "basis/basis_set.hpp"

namespace cc {

/// Starts libint2, if nobody has. InputError for an angular momentum beyond what libint2 was built for.
std::vector<libint2::Shell> libint_shells(const Molecule& molecule, const BasisSet& basis);

}  // namespace cc
