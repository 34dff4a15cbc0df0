#pragma once
// A program's text into its tree.
#include "notation/diagnostic.hpp"
#include "notation/source.hpp"
#include "notation/syntax.hpp"

namespace ricci::notation {

/// Reports every statement that cannot be read, leaves `Broken` in its place, and goes on with the next.
syntax::Program parse_program(const Source& source, Diagnostics& diagnostics);

}  // namespace ricci::notation
