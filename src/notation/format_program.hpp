#pragma once
// A program's tree as tidy text. Formatting that text again changes nothing, and it says the same.
#include <string>

#include "notation/syntax.hpp"

namespace ricci::notation {

/// Of a tree without `Broken`.
std::string format_program(const syntax::Program& program);

/// On one line.
std::string format_expression(const syntax::Expression& expression);

/// `"A.h5:/A"` with escapes.
std::string quoted(const std::string& text);

}  // namespace ricci::notation
