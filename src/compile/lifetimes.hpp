#pragma once
// When arrays are not needed any more.
#include "compile/formula.hpp"

namespace ricci::compile {

/// With a `release` behind the last use of every array that is no output: within the loop where each pass makes it
/// anew, else behind the loop.
Formula release_early(const Formula& formula, const std::vector<bool>& is_output);

/// Bytes of all arrays alive at once, at their greatest, if inputs are there from the beginning.
std::int64_t peak_bytes(const Formula& formula, const std::vector<bool>& is_input, const std::vector<bool>& elsewhere);

}  // namespace ricci::compile
