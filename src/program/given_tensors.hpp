#pragma once
// Tensors that the host of a program gives it: inputs, and outputs that it wants to have in memory.
#include <map>
#include <string>

#include <ricci/program.hpp>
#include <ricci/world.hpp>

#include "notation/program.hpp"
#include "program/any_tensor.hpp"

namespace ricci::program {

/// InputError where a tensor is missing, has another type, shape or world than its declaration, is given twice, or
/// where the program has no such tensor. Not collective.
void check_given(const notation::Program& program, const World& world,
                 const std::map<std::string, GivenTensor>& tensors);

/// The same tensor: what is done to one is done to the other.
AnyTensor alias_of(const GivenTensor& given);

/// Moves the elements of a tensor into the one that is given for it, unless it is that one.
void put_into(const GivenTensor& given, AnyTensor& tensor);

}  // namespace ricci::program
