#pragma once
// The blocks that inputs and outputs have by the rule of <ricci/spin.hpp>, or because the options say so.
#include <optional>
#include <set>
#include <vector>

#include "spin/spin_tensors.hpp"

namespace ricci::spin {

/// In canonical order; none for tensors whose assignments decide. Reports inputs and outputs that the rule does not
/// reach. InputError where options.patterns does not fit the program.
std::vector<std::optional<std::set<Pattern>>> allowed_blocks(const SpinTensors& spins, const SpinOptions& options,
                                                             notation::Diagnostics& diagnostics);

}  // namespace ricci::spin
