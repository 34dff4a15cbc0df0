#pragma once
// Sums of products, by recursive descent.
#include <string_view>
#include <vector>

#include "notation/syntax.hpp"
#include "notation/token_stream.hpp"

namespace ricci::notation {

/// Comments that stand between the terms of a sum, as they are found; `taken` is one flag a comment.
struct TermComments {
  std::vector<bool>& taken;
};

/// `comments`: where given, the terms of this sum (not of those in parentheses) keep their comments.
syntax::Expression parse_expression(TokenStream& tokens, TermComments* comments = nullptr);

/// The same grammar where a size is wanted, which says so in its messages.
syntax::Expression parse_size(TokenStream& tokens);

/// `[a,b]`, or nothing: then there are no labels.
std::vector<syntax::Name> parse_labels(TokenStream& tokens);

/// Names separated by commas, up to `close`, which is read, too. `what`: one of them, for messages.
std::vector<syntax::Name> parse_names(TokenStream& tokens, std::string_view close, std::string_view what);

}  // namespace ricci::notation
