#pragma once
// Declarations: `space`, `index`, `input`, `output` and `tensor`.
#include "notation/syntax.hpp"
#include "notation/token_stream.hpp"

namespace ricci::notation {

// Each reads what follows its first word.
syntax::SpaceDeclaration parse_space(TokenStream& tokens);
syntax::IndexDeclaration parse_index(TokenStream& tokens);
syntax::TensorDeclaration parse_tensor(TokenStream& tokens, Role role);

/// The word of an attribute, as it is written.
std::string_view word_of(syntax::Attribute::Kind kind);
bool is_symmetry(syntax::Attribute::Kind kind);

}  // namespace ricci::notation
