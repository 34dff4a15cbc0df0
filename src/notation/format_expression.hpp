#pragma once
// Parts of expressions as text, for the formatter.
#include <string>
#include <string_view>
#include <vector>

#include "notation/syntax.hpp"

namespace ricci::notation {

/// `a,b` with `,` as separator.
std::string format_names(const std::vector<syntax::Name>& names, std::string_view separator);
/// `A[a,b]`, or `A`.
std::string format_labelled(const syntax::Name& name, const std::vector<syntax::Name>& labels);
/// An operand of a sum, without its sign.
std::string format_term(const syntax::Expression& term);

}  // namespace ricci::notation
