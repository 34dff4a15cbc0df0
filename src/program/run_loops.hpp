#pragma once
// Runs the loops that operations share, as they were planned.
#include "program/array_store.hpp"
#include "program/fused_nest.hpp"

namespace ricci::program {

/// Blocks are read before they are wanted and written after they are done, within the bytes that the plan has for that.
/// Collective.
void run_loops(const FusedNest& nest, ArrayStore& store);

}  // namespace ricci::program
