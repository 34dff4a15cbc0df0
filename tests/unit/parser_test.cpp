#include "notation/parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program_text.hpp"

namespace ricci::notation {
namespace {

using syntax::Assignment;
using syntax::Expression;
using testing::HasSubstr;
using Kind = Expression::Kind;

/// The tree with all its parentheses, so that grouping can be seen.
std::string grouped(const Expression& e) {
  std::string text;
  switch (e.kind) {
    case Kind::number:
      return e.name.text;
    case Kind::norm:
      return "norm " + e.name.text;
    case Kind::tensor:
      text = e.name.text;
      for (const auto& label : e.labels) text += "." + label.text;
      return text;
    case Kind::conj:
      return "conj{" + grouped(e.operands[0]) + "}";
    case Kind::negate:
      return "neg{" + grouped(e.operands[0]) + "}";
    default:
      for (const Expression& operand : e.operands)
        text += (text.empty() ? "" : std::string(1, operand.join)) + grouped(operand);
      return "{" + text + "}";
  }
}

std::string grouped(const std::string& right) {
  return grouped(std::get<Assignment>(parsed("X = " + right).items.at(0).what).right);
}

TEST(Parser, ProductsBindTighterThanSums) {
  EXPECT_EQ(grouped("a + b * c - d / e"), "{a+{b*c}-{d/e}}");
  EXPECT_EQ(grouped("(a + b) * c"), "{{a+b}*c}");
  EXPECT_EQ(grouped("a - (b - c) - d"), "{a-{b-c}-d}");
  EXPECT_EQ(grouped("a / (b * c)"), "{a/{b*c}}");
  EXPECT_EQ(grouped("((a))"), "a");
}

TEST(Parser, SignsBelongToTheirFactor) {
  EXPECT_EQ(grouped("-a * b"), "{neg{a}*b}");
  EXPECT_EQ(grouped("-(a * b)"), "neg{{a*b}}");
  EXPECT_EQ(grouped("a * -b - -c"), "{{a*neg{b}}-neg{c}}");
  EXPECT_EQ(grouped("--a"), "neg{neg{a}}");
  EXPECT_EQ(grouped("+a"), "a");
  EXPECT_EQ(grouped("1/4 * a"), "{1/4*a}");
}

TEST(Parser, FunctionsAndLabels) {
  EXPECT_EQ(grouped("conj(A[i,j] + B[i]) * C[]"), "{conj{{A.i.j+B.i}}*C}");
  EXPECT_EQ(grouped("norm(A)"), "norm A");
  EXPECT_EQ(grouped("A[ i , j' ]"), "A.i.j'");
}

TEST(Parser, LinesGoOnInBracketsAndAroundOperators) {
  const auto one_line = parsed("X[i] = a + b * (c - d[i,j])");
  EXPECT_EQ(parsed("X[i] =\n a +\n b\n * (\nc\n- d[i,\nj]\n)"), one_line);
  EXPECT_EQ(parsed("X[i] = a + # comment, then a blank line\n\n b * (c - d[i,j])").items.size(), 1u);
  EXPECT_EQ(parsed("X = a\nY = b").items.size(), 2u);
  EXPECT_EQ(parsed("print a\n- b\nprint c").items.size(), 2u);
}

TEST(Parser, Declarations) {
  const auto tree = parsed(
      "space n = 80\n"
      "index p, q r : n\n"
      "input A[p,q] complex symmetric(p,q) from \"A.npy\" disk\n"
      "input B random(7)\n"
      "output C[p] to \"C.npy\" single\n"
      "tensor D[p,q,r] hollow(p,q,r) sparse");
  const auto& index = std::get<syntax::IndexDeclaration>(tree.items[1].what);
  EXPECT_EQ(index.names.size(), 3u);
  EXPECT_EQ(index.range.name.text, "n");
  const auto& a = std::get<syntax::TensorDeclaration>(tree.items[2].what);
  EXPECT_EQ(a.role, Role::input);
  EXPECT_EQ(a.origin, Origin::file);
  EXPECT_EQ(a.file, "A.npy");
  ASSERT_EQ(a.attributes.size(), 3u);
  EXPECT_EQ(a.attributes[2].kind, syntax::Attribute::Kind::disk) << "attributes may follow the origin";
  EXPECT_EQ(std::get<syntax::TensorDeclaration>(tree.items[3].what).seed, "7");
  EXPECT_EQ(std::get<syntax::TensorDeclaration>(tree.items[4].what).file, "C.npy");
  EXPECT_EQ(std::get<syntax::TensorDeclaration>(tree.items[5].what).attributes[0].labels.size(), 3u);
}

TEST(Parser, Loops) {
  const auto tree =
      parsed("repeat 3 { X = Y }\nrepeat until norm(X) < 1e-8 max 50 {\n\n  X = Y\n  repeat 2 {\n  }\n}\n");
  const auto& first = std::get<syntax::Repeat>(tree.items[0].what);
  EXPECT_FALSE(first.has_condition);
  EXPECT_EQ(first.body.size(), 1u);
  const auto& second = std::get<syntax::Repeat>(tree.items[1].what);
  EXPECT_TRUE(second.has_condition);
  EXPECT_EQ(second.threshold.name.text, "1e-8");
  EXPECT_EQ(second.times.name.text, "50");
  ASSERT_EQ(second.body.size(), 2u);
  EXPECT_FALSE(second.body[0].blank_before) << "blank lines at the start of a block do not count";
}

TEST(Parser, CommentsAndBlankLinesStayWithTheirStatements) {
  const auto tree =
      parsed("# head\n\nX = a  # behind\n\n\n# own\nrepeat 2 {  # loop\n  Y = b\n  # last\n}  # end\n# tail");
  ASSERT_EQ(tree.items.size(), 5u);
  EXPECT_EQ(std::get<syntax::Comment>(tree.items[0].what).text, "# head");
  EXPECT_TRUE(tree.items[1].blank_before);
  EXPECT_EQ(tree.items[1].comment, "# behind");
  EXPECT_TRUE(tree.items[2].blank_before);
  EXPECT_FALSE(tree.items[3].blank_before);
  EXPECT_EQ(tree.items[3].comment, "# loop");
  const auto& loop = std::get<syntax::Repeat>(tree.items[3].what);
  EXPECT_EQ(std::get<syntax::Comment>(loop.body.at(1).what).text, "# last");
  EXPECT_EQ(loop.end_comment, "# end");
}

TEST(Parser, GoesOnAfterErrors) {
  const std::string text =
      "space = 3\n"
      "X = (a + \n"
      "Y[i = b\n"
      "repeat x y {\n"
      "  Z = * c\n"
      "  }\n"
      "print\n";
  const std::string message = refusal(text);
  for (const char* place :
       {":1:7: error: expected the name of the space, found `=`", ":3:5: error: expected `,` or `]`",
        ":4:10: error: expected `{`, found `y`", ":5:7: error: expected a tensor",
        ":7:6: error: expected a tensor, a number or `(`, but the line ends"}) {
    EXPECT_THAT(message, HasSubstr(place));
  }
  EXPECT_THAT(message, testing::Not(HasSubstr("closes nothing")));
}

TEST(Parser, NestingHasALimit) {
  const auto nested = [](int depth) {
    return "print " + std::string(static_cast<std::size_t>(depth), '(') + "1" +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_EQ(parsed(nested(150)).items.size(), 1u);
  EXPECT_THAT(refusal(nested(100'000)), HasSubstr("nested deeper than 200 levels"));
  EXPECT_THAT(refusal("print " + std::string(100'000, '-') + "1"), HasSubstr("nested deeper"));
  std::string loops;
  for (int i = 0; i < 10'000; ++i) loops += "repeat 2 {\n";
  EXPECT_THAT(refusal(loops), HasSubstr("nested deeper"));
}

TEST(Parser, LongSumsAreNotDeep) {
  std::string sum = "print 0";
  for (int i = 0; i < 50'000; ++i) sum += i % 2 ? " + 1" : " - 1 * 2";
  const auto program = bound(sum);
  EXPECT_EQ(program.statements[0].right.number, -25'000);
}

}  // namespace
}  // namespace ricci::notation
