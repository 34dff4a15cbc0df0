#pragma once
// Text into tokens with their places. Comments are kept apart, for the formatter.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "notation/diagnostic.hpp"
#include "notation/source.hpp"

namespace ricci::notation {

struct Token {
  enum class Kind {
    name,
    number,
    text,    // "..."; `value` is what it means
    symbol,  // one of [ ] ( ) { } , : = += -= + - * / <
    broken,  // an error has been reported for it
    end,     // of the program, always the last token
  };
  Kind kind = Kind::end;
  std::string_view text;  // as it stands in the source
  Where where = {};
  bool starts_line = false;  // nothing stands before it on its line
  std::string value = {};

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
  bool is_word(std::string_view word) const { return kind == Kind::name && text == word; }
};

struct SourceComment {
  std::string text;  // with `#`, and a blank after it
  Where where = {};
  bool own_line = false;       // no token stands on its line
  std::size_t next_token = 0;  // the number of the token that follows it
};

struct Lexed {
  std::vector<Token> tokens;
  std::vector<SourceComment> comments;
};

/// The tokens refer to the source's text. Characters and numbers that cannot be are reported, and lexing goes on.
Lexed lex(const Source& source, Diagnostics& diagnostics);

std::ostream& operator<<(std::ostream&, const Token&);

}  // namespace ricci::notation
