#pragma once
// A program's tree into the program that a compiler reads, with everything checked that needs no data.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "notation/diagnostic.hpp"
#include "notation/program.hpp"
#include "notation/syntax.hpp"

namespace ricci::notation {

/// Sizes of spaces in place of those that the program gives.
using SpaceSizes = std::map<std::string, std::int64_t>;

/// Reports all that is wrong, and notes what is odd: names that nothing uses. What it gives is of use only if no errors
/// have been reported. InputError where `sizes` names a space that is not there.
Program bind_program(const syntax::Program& tree, const std::string& name, const SpaceSizes& sizes,
                     Diagnostics& diagnostics);

struct ReadProgram {
  Program program;
  std::vector<std::string> notes;
};

/// Text into a bound program. ProgramError with everything that is wrong.
ReadProgram read_program(const Source& source, const SpaceSizes& sizes = {});

}  // namespace ricci::notation
