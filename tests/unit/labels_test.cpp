#include "notation/labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

namespace ricci::notation {
namespace {

using testing::HasSubstr;
using Names = std::vector<std::string>;

std::string refusal(std::string_view text, int order) {
  try {
    parse_labels(text, order);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << '"' << text << "\" was accepted";
  return "";
}

TEST(Labels, OneCharacterAMode) {
  EXPECT_EQ(parse_labels("abij", 4), (Names{"a", "b", "i", "j"}));
  EXPECT_EQ(parse_labels("aA1_", 4), (Names{"a", "A", "1", "_"})) << "letters of both cases, digits and underscores";
  EXPECT_EQ(parse_labels("ii", 2), (Names{"i", "i"})) << "a label may stand twice";
  EXPECT_EQ(parse_labels("x", 1), (Names{"x"}));
}

TEST(Labels, NamesSeparatedByCommas) {
  EXPECT_EQ(parse_labels("i1,i2,a", 3), (Names{"i1", "i2", "a"}));
  EXPECT_EQ(parse_labels("i', j'", 2), (Names{"i'", "j'"})) << "blanks around a name do not count";
  EXPECT_EQ(parse_labels("  left ,right  ", 2), (Names{"left", "right"}));
}

TEST(Labels, AScalarHasNone) { EXPECT_EQ(parse_labels("", 0), Names{}); }

TEST(Labels, AVectorMayHaveALongName) {
  EXPECT_EQ(parse_labels("alpha", 1), (Names{"alpha"}));
  EXPECT_EQ(parse_labels("i1", 1), (Names{"i1"}));
  EXPECT_EQ(parse_labels("αβ", 1), (Names{"αβ"}));
}

TEST(Labels, ACharacterIsACodePointOfUtf8) {
  EXPECT_EQ(parse_labels("αβ", 2), (Names{"α", "β"}));
  EXPECT_EQ(parse_labels("aμbν", 4), (Names{"a", "μ", "b", "ν"}));
  EXPECT_EQ(parse_labels("α1,β", 2), (Names{"α1", "β"}));
  EXPECT_EQ(parse_labels("𝛼x", 2), (Names{"𝛼", "x"})) << "four bytes";
}

TEST(Labels, BadFormsAreRefusedInWords) {
  EXPECT_THAT(refusal("a b", 2), HasSubstr("\"a b\" contain a blank"));
  EXPECT_THAT(refusal("a-b", 3), HasSubstr("contain the character '-'"));
  EXPECT_THAT(refusal("a->b", 2), HasSubstr("contain the character '-'"));
  EXPECT_THAT(refusal("a,,b", 3), HasSubstr("an empty name between commas"));
  EXPECT_THAT(refusal("a,b,", 2), HasSubstr("an empty name between commas"));
  EXPECT_THAT(refusal(",", 2), HasSubstr("an empty name between commas"));
  EXPECT_THAT(refusal("i 1,j", 2), HasSubstr("contain a blank"));
  EXPECT_THAT(refusal("a\tb", 2), HasSubstr("\"a\\x09b\" contain the character with code 9"));
  EXPECT_THAT(refusal("a.b,c", 2), HasSubstr("contain the character '.'"));
  EXPECT_THAT(refusal("a b", 1), HasSubstr("contain a blank")) << "a long name is no excuse";
}

TEST(Labels, AWrongNumberNamesBoth) {
  EXPECT_THAT(refusal("abc", 2), HasSubstr("\"abc\" are 3, but the tensor has order 2"));
  EXPECT_THAT(refusal("i1,i2", 3), HasSubstr("are 2, but the tensor has order 3"));
  EXPECT_THAT(refusal("", 1), HasSubstr("are 0, but the tensor has order 1"));
  EXPECT_THAT(refusal("a", 0), HasSubstr("for a scalar the empty string"));
  EXPECT_THAT(refusal("a,b", 1), HasSubstr("are 2, but the tensor has order 1"));
}

}  // namespace
}  // namespace ricci::notation
