#include "notation/diagnostic.hpp"

#include <gtest/gtest.h>

#include <ricci/error.hpp>

namespace ricci::notation {
namespace {

Where at(int line, int column, int width = 1) { return {{line, column}, width}; }

std::string errors_of(const Diagnostics& diagnostics) {
  try {
    diagnostics.throw_errors();
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "";
}

TEST(Diagnostic, PointsAtItsPlace) {
  const Source source("a.ric", "one\ntwo three\n");
  EXPECT_EQ(describe(source, {at(2, 5, 5), "bad", ""}, "error"),
            "a.ric:2:5: error: bad\n"
            "    two three\n"
            "        ^~~~~");
  EXPECT_EQ(describe(source, {at(2, 1), "odd", "do this"}, "note"),
            "a.ric:2:1: note: odd\n"
            "    two three\n"
            "    ^\n"
            "    do this");
}

TEST(Diagnostic, TabsAndLettersOfSeveralBytesKeepTheCaretInPlace) {
  const Source source("a.ric", "\tα\tβγ x");
  EXPECT_EQ(describe(source, {at(1, 4, 2), "bad", ""}, "error"),
            "a.ric:1:4: error: bad\n"
            "    \tα\tβγ x\n"
            "    \t \t^~");
}

TEST(Diagnostic, PlacesBehindTheEndOfALineArePointedAt) {
  const Source source("a.ric", "ab\r\n");
  EXPECT_EQ(describe(source, {at(1, 3, 9), "bad", ""}, "error"), "a.ric:1:3: error: bad\n    ab\n      ^");
  EXPECT_EQ(describe(source, {at(2, 1), "bad", ""}, "error"), "a.ric:2:1: error: bad\n    \n    ^");
}

TEST(Diagnostic, LongLinesAreShownInPart) {
  const Source source("a.ric", std::string(500, 'a') + "X" + std::string(500, 'b'));
  EXPECT_EQ(describe(source, {at(1, 501), "bad", ""}, "error"), "a.ric:1:501: error: bad\n    ..." +
                                                                    std::string(55, 'a') + "X" + std::string(54, 'b') +
                                                                    "...\n       " + std::string(55, ' ') + "^");
}

TEST(Diagnostic, HiddenCharactersAreNotPrinted) {
  const Source source("a.ric", "a\x1b\x01\xff!");
  EXPECT_EQ(describe(source, {at(1, 5), "bad", ""}, "error"),
            "a.ric:1:5: error: bad\n    a??"
            "?!\n        ^");
}

TEST(Diagnostics, AreSortedAndOneAPlace) {
  const Source source("a.ric", "one\ntwo\n");
  Diagnostics diagnostics(source);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(errors_of(diagnostics), "");
  diagnostics.error(at(2, 1), "third");
  diagnostics.error(at(1, 2), "second");
  diagnostics.error(at(1, 1), "first");
  diagnostics.error(at(1, 2), "never said");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(errors_of(diagnostics),
            "a.ric:1:1: error: first\n    one\n    ^\n"
            "a.ric:1:2: error: second\n    one\n     ^\n"
            "a.ric:2:1: error: third\n    two\n    ^");
}

TEST(Diagnostics, ManyAreCounted) {
  const Source source("a.ric", std::string(30, '\n'));
  Diagnostics diagnostics(source);
  for (int line = 1; line <= 25; ++line) diagnostics.error(at(line, 1), "bad");
  const std::string text = errors_of(diagnostics);
  EXPECT_NE(text.find("a.ric:20:1: error"), std::string::npos);
  EXPECT_EQ(text.find("a.ric:21:1: error"), std::string::npos);
  EXPECT_EQ(text.substr(text.rfind('\n') + 1), "a.ric: and 5 more errors");
}

TEST(Source, FilesThatCannotBeRead) {
  EXPECT_THROW(read_source("no such file.ric"), InputError);
  EXPECT_THROW(read_source("/"), InputError);
}

TEST(Source, CountsLines) {
  const Source source("a.ric", "a\r\n \t\nb");
  EXPECT_EQ(source.line_count(), 3);
  EXPECT_EQ(source.line(1), "a");
  EXPECT_TRUE(source.is_blank(2));
  EXPECT_EQ(source.line(3), "b");
  EXPECT_EQ(source.line(4), "");
  EXPECT_EQ(source.line(0), "");
}

}  // namespace
}  // namespace ricci::notation
