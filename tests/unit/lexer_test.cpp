#include "notation/lexer.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include <ricci/error.hpp>

namespace ricci::notation {
namespace {

/// The tokens as they print, with a blank between them; the places are left out.
std::string kinds(const std::string& text) {
  const Source source("t.ric", text);
  Diagnostics diagnostics(source);
  std::string all;
  for (const Token& token : lex(source, diagnostics).tokens) {
    std::ostringstream out;
    out << token;
    all += (all.empty() ? "" : "; ") + out.str().substr(out.str().find(' ') + 1);
  }
  return all;
}

Lexed lexed(const Source& source) {
  Diagnostics diagnostics(source);
  auto result = lex(source, diagnostics);
  diagnostics.throw_errors();
  return result;
}

std::string refusal(const std::string& text) {
  try {
    lexed(Source("t.ric", text));
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "";
}

TEST(Lexer, TellsNamesNumbersAndSymbolsApart) {
  EXPECT_EQ(kinds("A[i,j'] += 0.5*b_2"),
            "name A; symbol [; name i; symbol ,; name j'; symbol ]; symbol +=; number 0.5; symbol *; name b_2; end");
  EXPECT_EQ(kinds("x=-1"), "name x; symbol =; symbol -; number 1; end");
  EXPECT_EQ(kinds("x-=1"), "name x; symbol -=; number 1; end");
  EXPECT_EQ(kinds("{ } ( ) : < /"), "symbol {; symbol }; symbol (; symbol ); symbol :; symbol <; symbol /; end");
  EXPECT_EQ(kinds(""), "end");
}

TEST(Lexer, ReadsNumbersInAllForms) {
  EXPECT_EQ(kinds("0 12 1. 0.25 1e-8 2E5 3.5e+2"),
            "number 0; number 12; number 1.; number 0.25; number 1e-8; number 2E5; number 3.5e+2; end");
  EXPECT_EQ(kinds("1e-999"), "broken 1e-999; end");
  EXPECT_EQ(kinds("1e+ 2"), "broken 1e; symbol +; number 2; end");
}

TEST(Lexer, NamesMayHaveLettersOfAnyAlphabet) {
  const Source source("t.ric", "α β'\nψ = γ2");
  const Lexed result = lexed(source);
  ASSERT_EQ(result.tokens.size(), 6u);
  EXPECT_EQ(result.tokens[0].text, "α");
  EXPECT_EQ(result.tokens[1].text, "β'");
  EXPECT_EQ(result.tokens[1].where.column, 3) << "a column is a character, not a byte";
  EXPECT_EQ(result.tokens[1].where.width, 2);
  EXPECT_EQ(result.tokens[4].text, "γ2");
  EXPECT_EQ(result.tokens[4].where.line, 2);
  EXPECT_EQ(result.tokens[4].where.column, 5);
}

TEST(Lexer, KnowsWhichTokensBeginLines) {
  const Source source("t.ric", "a b\n  c\n# d\n\te f");
  std::string first;
  for (const Token& token : lexed(source).tokens) first += token.starts_line ? '1' : '0';
  EXPECT_EQ(first, "101100");
}

TEST(Lexer, KeepsComments) {
  const Source source("t.ric", "#!/usr/bin/env ricci\n#glued\na  # behind  \r\n##\n\"#none\"#");
  const auto comments = lexed(source).comments;
  ASSERT_EQ(comments.size(), 5u);
  EXPECT_EQ(comments[0].text, "#!/usr/bin/env ricci");
  EXPECT_EQ(comments[1].text, "# glued");
  EXPECT_TRUE(comments[1].own_line);
  EXPECT_EQ(comments[2].text, "# behind");
  EXPECT_FALSE(comments[2].own_line);
  EXPECT_EQ(comments[2].next_token, 1u);
  EXPECT_EQ(comments[3].text, "##");
  EXPECT_EQ(comments[4].text, "#");
}

TEST(Lexer, ReadsTextWithEscapes) {
  const Source source("t.ric", R"("A.h5:/A" "a\"b\\c\n\t" "")");
  const auto tokens = lexed(source).tokens;
  EXPECT_EQ(tokens[0].value, "A.h5:/A");
  EXPECT_EQ(tokens[1].value, "a\"b\\c\n\t");
  EXPECT_EQ(tokens[2].value, "");
}

TEST(Lexer, SkipsTheByteOrderMark) { EXPECT_EQ(kinds("\xef\xbb\xbfspace"), "name space; end"); }

TEST(Lexer, GoesOnAfterWhatItCannotRead) {
  EXPECT_EQ(kinds("a ; b @ 2x \xff c \"open\nd"),
            "name a; broken ;; name b; broken @; broken 2x; broken \xff; name c; broken \"open; name d; end");
  EXPECT_EQ(refusal("a ; b\n\xff"),
            "t.ric:1:3: error: the character `;` cannot stand here\n"
            "    a ; b\n"
            "      ^\n"
            "    statements end with their line\n"
            "t.ric:2:1: error: the byte 0xff is no UTF-8 text\n"
            "    ?\n"
            "    ^\n"
            "    save the program as UTF-8");
}

TEST(Lexer, RefusesBrokenUtf8) {
  for (const char* bytes : {"\x80", "\xc0\xaf", "\xe2\x88", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf0\x8f\xbf\xbf"}) {
    EXPECT_NE(refusal(bytes).find("no UTF-8"), std::string::npos) << std::string(bytes).size();
  }
}

}  // namespace
}  // namespace ricci::notation
