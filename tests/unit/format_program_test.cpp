#include "notation/format_program.hpp"

#include <gtest/gtest.h>

#include "program_text.hpp"

namespace ricci::notation {
namespace {

void expect_format(const std::string& before, const std::string& after) {
  EXPECT_EQ(formatted(before), after);
  EXPECT_EQ(formatted(after), after) << "formatting twice";
  EXPECT_EQ(parsed(before), parsed(after)) << "the same program";
}

TEST(Format, DeclarationsStandInColumns) {
  expect_format(
      "space n=80\nspace virtual  =  n+2*3\nindex p,q r:n\nindex a : 40\n"
      "input A[p,q] from \"A.h5:/A\" symmetric(p,q)\noutput  Long[a]\ntensor  E[]\ninput C1[ p ] random(1)\n",
      "space n       = 80\n"
      "space virtual = n + 2 * 3\n"
      "index p q r : n\n"
      "index a     : 40\n"
      "input  A[p,q] symmetric(p,q) from \"A.h5:/A\"\n"
      "output Long[a]\n"
      "tensor E\n"
      "input  C1[p]  random(1)\n");
}

TEST(Format, ColumnsEndAtBlankLinesAndComments) {
  expect_format("input A random(1)\n\n\n\ninput Long zero\n#x\ntensor B disk\n",
                "input A random(1)\n\ninput Long zero\n# x\ntensor B disk\n");
}

TEST(Format, OneBlankAroundOperators) {
  expect_format("X[ i,j ]+=1/4*A[i,k]*( B[k,j]-C[k,j] )/D[i,j]\n",
                "X[i,j] += 1/4 * A[i,k] * (B[k,j] - C[k,j]) / D[i,j]\n");
  expect_format("print -a*-(b*c)-(-d)+((e))*2/3\n", "print -a * -(b * c) - -d + e * 2 / 3\n");
  expect_format("print(a+b)-(c-d)*(e*f)*conj( x[i]*y )\n", "print (a + b) - (c - d) * (e * f) * conj(x[i] * y)\n");
}

TEST(Format, BlocksAreIndented) {
  expect_format("repeat 3{X=Y}\n", "repeat 3 {\n  X = Y\n}\n");
  expect_format("repeat until norm( R )<1e-8 max 50 { # why\n\n\nrepeat n\n{\n# inside\n}#end\n\n}\n",
                "repeat until norm(R) < 1e-8 max 50 {  # why\n  repeat n {\n    # inside\n  }  # end\n}\n");
}

TEST(Format, TermsKeepTheirLinesAndComments) {
  expect_format("  X[i] = A[i] # first\n+B[i]# second\n# between\n- C[i] * # hoisted\n 2 + D[i]\n # own\nprint E # e\n",
                "# hoisted\n"
                "X[i] = A[i]  # first\n"
                "     + B[i]  # second\n"
                "     # between\n"
                "     - C[i] * 2 + D[i]\n"
                "# own\n"
                "print E  # e\n");
  expect_format("X -= a + # one\n b + # two\n c # three\n", "X -= a  # one\n   + b  # two\n   + c  # three\n");
}

TEST(Format, WideSumsGetALineATerm) {
  const std::string term = "Amplitudes[a,b,i,j] * Integrals[a,b,i,j]";
  expect_format("Energy += " + term + " - " + term + " + " + term + "\n",
                "Energy += " + term + "\n        - " + term + "\n        + " + term + "\n");
  expect_format("E = " + term + " - " + term + "\n", "E = " + term + " - " + term + "\n");
}

TEST(Format, NeighbouringCommentsStandUnderEachOther) {
  expect_format("X = a # one\nLonger = b # two\nY = c\nZ = d # three\n",
                "X = a       # one\nLonger = b  # two\nY = c\nZ = d  # three\n");
  expect_format("α = a # one\nbb = c # two\n", "α = a   # one\nbb = c  # two\n");
}

TEST(Format, OnlyCommentsOrNothing) {
  expect_format("", "");
  expect_format("\n\n", "");
  expect_format("\n\n#a\n\n\n#b", "# a\n\n# b\n");
}

TEST(Format, TextIsEscaped) {
  expect_format("input A from \"a\\\"b\\\\\\n\\t\"", "input A from \"a\\\"b\\\\\\n\\t\"\n");
}

TEST(Format, ExamplesAreTidy) {
  for (const auto& [name, text] : example_programs()) EXPECT_EQ(formatted(text), text) << name;
}

}  // namespace
}  // namespace ricci::notation
