#pragma once
// Tensors that the host of a program gives it: inputs, and outputs that it wants to have in memory.
#include <map>
#include <string>

#include <ricci/program.hpp>
#include <ricci/world.hpp>

#include "program/array_store.hpp"
#include "program/program_plan.hpp"

namespace ricci::program {

/// InputError where a tensor is missing, has another type, shape or world than its declaration, is given twice, or
/// where the program has no such tensor. Not collective.
void check_given(const ProgramPlan& plan, const World& world, const GivenTensors& tensors);

/// How those are cut that are on disk.
GivenOnDisk cuts_on_disk(const GivenTensors& tensors);

/// The tensor stands for its array: what is done to one is done to the other. On disk, an output only says where it is
/// to be made. Collective.
void bind(ArrayStore& store, int array, const GivenTensor& given);

/// An output that was made elsewhere is moved into the tensor that is given for it.
void hand_back(ArrayStore& store, int array, const GivenTensor& given);

}  // namespace ricci::program
