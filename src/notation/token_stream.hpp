#pragma once
// The tokens as a parser reads them, with the errors that it makes of what it does not expect.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "notation/diagnostic.hpp"
#include "notation/lexer.hpp"
#include "notation/syntax.hpp"

namespace ricci::notation {

/// Thrown where a statement cannot be read on, after the error has been reported; caught by the loop over statements.
struct SyntaxFailure {};

inline constexpr std::string_view statement_words[] = {"space",  "index", "input", "output",
                                                       "tensor", "print", "repeat"};
bool begins_statement(std::string_view word);
/// One of these, or of the others that cannot be names.
bool is_reserved(std::string_view word);

class TokenStream {
 public:
  /// Nesting beyond this is refused: every level is a call, here and in the rooms that read the tree.
  static constexpr int deepest = 200;

  TokenStream(const Lexed& lexed, Diagnostics& diagnostics) : lexed_(lexed), diagnostics_(diagnostics) {}

  const Token& peek() const { return lexed_.tokens[at_]; }
  const Token& peek_next() const { return lexed_.tokens[std::min(at_ + 1, lexed_.tokens.size() - 1)]; }
  const Token& previous() const { return lexed_.tokens[at_ - 1]; }
  std::size_t position() const { return at_; }
  const std::vector<SourceComment>& comments() const { return lexed_.comments; }
  /// The number of the first comment that stands right before this token or after it.
  std::size_t first_comment(std::size_t token) const;

  const Token& next();
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  void expect(std::string_view symbol, std::string_view where);
  syntax::Name expect_name(std::string_view what);
  /// Where the statement does not go on after the end of the line.
  syntax::Name expect_name_on_line(std::string_view what);
  /// Where it does; but if the next line begins like a statement, this one is not complete.
  syntax::Name expect_operand(std::string_view what);

  /// What was expected, and what stands here instead; at the end of the line before where a new line begins here.
  [[noreturn]] void fail_here(const std::string& expected, std::string hint = {});
  [[noreturn]] void fail(Where where, std::string message, std::string hint = {});
  void report(Where where, std::string message, std::string hint = {}) {
    diagnostics_.error(where, std::move(message), std::move(hint));
  }

  /// Whether a statement may end here: at the end of its line, or of its block.
  bool at_statement_end() const;
  /// Skips to where the next statement seems to begin, at least one token after `begin`; the names on the way.
  std::vector<std::string> recover(std::size_t begin);

  /// Counts a level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(TokenStream& stream);
    ~Level() { --stream_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    TokenStream& stream_;
  };

 private:
  /// Whether a line begins here with a word of a statement, or like an assignment: no operand does.
  bool begins_like_statement(std::size_t position) const;

  const Lexed& lexed_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace ricci::notation
