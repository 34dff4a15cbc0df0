// What the program over blocks looks like, what it costs, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>
#include <ricci/spin.hpp>

#include "compile/lower_program.hpp"
#include "program_text.hpp"

namespace ricci {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

SpinOptions orbitals(std::int64_t occupied, std::int64_t virtuals) {
  return {.spaces = {{"o", {occupied, occupied - 1}}, {"v", {virtuals, virtuals + 1}}}};
}

const std::string head =
    "space o = 4\nspace v = 6\nindex i j k m n : o\nindex a b c e f : v\n"
    "input T1[a,i] random(1)\ninput T2[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j) random(2)\n"
    "input V[a,b,e,f] antisymmetric(a,b) antisymmetric(e,f) from \"V.h5:/V\"\n"
    "input W[a,m,i,e] from \"W.npy\"\n";

std::string made_of(const std::string& text) { return spin_integrated(text, "t.ric", orbitals(3, 4)); }

/// What follows the comment that repeats a statement.
std::string after(const std::string& statement, const std::string& text) {
  const std::string line = "# " + statement + "\n";
  const auto at = text.find(line);
  if (at == std::string::npos) return "no such statement in\n" + text;
  const auto begin = at + line.size();
  const auto end = text.find("\n\n", begin);
  return text.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

std::string statement(const std::string& output, const std::string& text) {
  return after(text, made_of(head + "output " + output + "\n" + text + "\n"));
}

const std::string z2 = "Z[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j)";

TEST(SpinIntegrated, WholeText) {
  EXPECT_EQ(
      made_of("# Example\nspace o = 2\nspace v = 2\nspace q = o + v\nindex i j : o\nindex a b : v\nindex p : q\n"
              "input V[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j) random(7) # integrals\n"
              "input B[p,a,i] complex disk zero\ninput Unused[a,i] zero\n"
              "output T[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j) to \"T.h5:/T\"\n\n"
              "# The first\nT[a,b,i,j] = V[a,b,i,j]\nrepeat until norm(T) < 1e-4 max o {\n"
              "T[a,b,i,j] -= 1/2 * T[a,b,i,j]\n}\nprint norm(B)\n"),
      "# Made from t.ric by spin integration: in names of tensors a is alpha, b is beta; primed indices are beta.\n"
      "\n"
      "# Example\n"
      "space o_a = 3\n"
      "space o_b = 2\n"
      "space v_a = 4\n"
      "space v_b = 5\n"
      "space q   = (o_a + o_b) + (v_a + v_b)\n"
      "index i j   : o_a\n"
      "index i' j' : o_b\n"
      "index a b   : v_a\n"
      "index a' b' : v_b\n"
      "index p     : q\n"
      "input  V_aaaa[a,b,i,j]     antisymmetric(a,b) antisymmetric(i,j) random(7)  # integrals\n"
      "input  V_abab[a,b',i,j']   random(4000019)\n"
      "input  V_bbbb[a',b',i',j'] antisymmetric(a',b') antisymmetric(i',j') random(8000031)\n"
      "input  B_aa[p,a,i]         complex disk zero\n"
      "input  B_bb[p,a',i']       complex disk zero\n"
      "output T_aaaa[a,b,i,j]     antisymmetric(a,b) antisymmetric(i,j) to \"T.h5:/T_aaaa\"\n"
      "output T_abab[a,b',i,j']   to \"T.h5:/T_abab\"\n"
      "output T_bbbb[a',b',i',j'] antisymmetric(a',b') antisymmetric(i',j') to \"T.h5:/T_bbbb\"\n"
      "\n"
      "# The first\n"
      "\n"
      "# T[a,b,i,j] = V[a,b,i,j]\n"
      "T_aaaa[a,b,i,j] = V_aaaa[a,b,i,j]\n"
      "T_abab[a,b',i,j'] = V_abab[a,b',i,j']\n"
      "T_bbbb[a',b',i',j'] = V_bbbb[a',b',i',j']\n"
      "repeat until norm(T_aaaa) * norm(T_aaaa) + 4 * norm(T_abab) * norm(T_abab) + norm(T_bbbb) * norm(T_bbbb) "
      "< 1e-08 max o_a + o_b {\n"
      "  # T[a,b,i,j] -= 1/2 * T[a,b,i,j]\n"
      "  T_aaaa[a,b,i,j] -= 1/2 * T_aaaa[a,b,i,j]\n"
      "  T_abab[a,b',i,j'] -= 1/2 * T_abab[a,b',i,j']\n"
      "  T_bbbb[a',b',i',j'] -= 1/2 * T_bbbb[a',b',i',j']\n"
      "}\n"
      "\n"
      "# print norm(B)  # squared\n"
      "print norm(B_aa) * norm(B_aa) + norm(B_bb) * norm(B_bb)\n");
}

TEST(SpinIntegrated, SumsOverBothSpinsAreOneTermWhereTheyAreEqual) {
  EXPECT_EQ(statement(z2, "Z[a,b,i,j] = 1/2 * V[a,b,e,f] * T2[e,f,i,j]"),
            "Z_aaaa[a,b,i,j] = 1/2 * V_aaaa[a,b,e,f] * T2_aaaa[e,f,i,j]\n"
            "Z_abab[a,b',i,j'] = V_abab[a,b',e,f'] * T2_abab[e,f',i,j']\n"
            "Z_bbbb[a',b',i',j'] = 1/2 * V_bbbb[a',b',e',f'] * T2_bbbb[e',f',i',j']\n");
}

TEST(SpinIntegrated, LostSymmetryBecomesTerms) {
  EXPECT_EQ(statement(z2, "Z[a,b,i,j] = W[a,m,i,e] * T2[e,b,m,j]"),
            "Z_aaaa[a,b,i,j] = W_aaaa[a,m,i,e] * T2_aaaa[e,b,m,j] + W_abab[a,m',i,e'] * T2_abab[b,e',j,m']\n"
            "Z_abab[a,b',i,j'] = W_aaaa[a,m,i,e] * T2_abab[e,b',m,j']\n"
            "                  + W_abab[a,m',i,e'] * T2_bbbb[e',b',m',j']\n"
            "                  + W_abba[a,m',j',e] * T2_abab[e,b',i,m']\n"
            "                  + W_baab[b',m,i,e'] * T2_abab[a,e',m,j']\n"
            "                  + W_baba[b',m,j',e] * T2_aaaa[e,a,m,i]\n"
            "                  + W_bbbb[b',m',j',e'] * T2_abab[a,e',i,m']\n"
            "Z_bbbb[a',b',i',j'] = W_baba[a',m,i',e] * T2_abab[e,b',m,j']\n"
            "                    + W_bbbb[a',m',i',e'] * T2_bbbb[e',b',m',j']\n");
  EXPECT_EQ(statement(z2, "Z[a,b,i,j] = 1/2 * T1[a,i] * T1[b,j]"),
            "Z_aaaa[a,b,i,j] = 1/2 * T1_aa[a,i] * T1_aa[b,j]\n"
            "Z_abab[a,b',i,j'] = T1_aa[a,i] * T1_bb[b',j']\n"
            "Z_bbbb[a',b',i',j'] = 1/2 * T1_bb[a',i'] * T1_bb[b',j']\n");
}

TEST(SpinIntegrated, GroupsOfThree) {
  const std::string text = made_of(head + "output Z[a,b,c,i,j,k] antisymmetric(a,b,c) antisymmetric(i,j,k)\n" +
                                   "Z[a,b,c,i,j,k] = T1[a,i] * T2[b,c,j,k]\n");
  EXPECT_THAT(text, HasSubstr("Z_aabaab[a,b,c',i,j,k']     antisymmetric(a,b) antisymmetric(i,j)\n"));
  EXPECT_THAT(text, HasSubstr("Z_abbabb[a,b',c',i,j',k']   antisymmetric(b',c') antisymmetric(j',k')\n"));
  EXPECT_THAT(
      after("Z[a,b,c,i,j,k] = T1[a,i] * T2[b,c,j,k]", text),
      HasSubstr("Z_aabaab[a,b,c',i,j,k'] = T1_aa[a,i] * T2_abab[b,c',j,k'] + T1_bb[c',k'] * T2_aaaa[a,b,i,j]\n"));
}

TEST(SpinIntegrated, WhatSymmetryMakesZeroIsLeftOut) {
  EXPECT_EQ(statement("E", "E = V[a,b,e,f] * T1[e,i] * T1[f,i]"), "E = 0\n");
  EXPECT_EQ(statement("Z[a,b] antisymmetric(a,b)", "Z[a,b] = T1[a,i] * T1[b,i]"), "Z_aa[a,b] = 0\nZ_bb[a',b'] = 0\n")
      << "an output of an even number of modes conserves spin";
}

TEST(SpinIntegrated, BlocksThatAreReadAfterTheyHaveChangedAreKept) {
  const std::string text = made_of(head + "output E\nY[a,i,e,m] = T1[a,i] * T1[e,m]\nY[a,i,e,m] = Y[e,m,a,i]\n" +
                                   "\nE = Y[a,i,e,m] * T2[a,e,i,m]\n");
  EXPECT_EQ(after("Y[a,i,e,m] = Y[e,m,a,i]", text),
            "Y_aabb_before[a,i,e',m'] = Y_aabb[a,i,e',m']\n"
            "Y_aaaa[a,i,e,m] = Y_aaaa[e,m,a,i]\n"
            "Y_aabb[a,i,e',m'] = Y_bbaa[e',m',a,i]\n"
            "Y_bbaa[a',i',e,m] = Y_aabb_before[e,m,a',i']\n"
            "Y_bbbb[a',i',e',m'] = Y_bbbb[e',m',a',i']\n");
}

/// Of the leading terms, V[abef] T[efij] takes 1.25 of 8 parts of what it takes in spin orbitals (two blocks of an
/// eighth, one without symmetry), and rings take 10 of their 64 blocks: 0.16 either way.
TEST(SpinIntegrated, CcsdDoesNothingTwice) {
  const std::string text = notation::example_programs().at("ccsd.ric");
  const std::int64_t occupied = 10, virtuals = 40;
  const SpinOptions options{.spaces = {{"no", {occupied, occupied}}, {"nv", {virtuals, virtuals}}}};
  const auto flops = [](const notation::Program& program) {
    return compile::effort(compile::lower_program(program)).flops;
  };
  const double whole = flops(notation::bound(text, {{"no", 2 * occupied}, {"nv", 2 * virtuals}}));
  const double blocks = flops(notation::bound(spin_integrated(text, "ccsd.ric", options)));
  EXPECT_GT(blocks / whole, 0.15);
  EXPECT_LT(blocks / whole, 0.165);
}

std::string refused(const std::string& text, const SpinOptions& options = orbitals(3, 4)) {
  try {
    spin_integrated(text, "t.ric", options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "was accepted";
}

TEST(SpinIntegrated, WhatIsRefused) {
  EXPECT_THAT(refused(head + "output Z[a,i]\nZ[a,i] = T1[a,i] + 1\n"),
              StartsWith("t.ric:10:20: error: this does not conserve spin: it has elements for `Z_ab`, which `Z` has "
                         "not\n    Z[a,i] = T1[a,i] + 1\n"));
  EXPECT_THAT(refused(head + "output Z[a,b,i]\nZ[a,b,i] = T2[a,b,i,j]\n"),
              HasSubstr("9:8: error: `Z` has an odd number of modes of spin orbitals"));
  EXPECT_THAT(refused(head + "output Z[a,b] symmetric(a,b)\nZ[a,a] = V[a,e,a,e]\n"),
              HasSubstr("10:1: error: index `a` stands twice in `Z`, which has symmetry between spin orbitals"));
  EXPECT_THAT(refused("space o = 4\nspace v = 4\nindex i : o\nindex a : v\ninput A[a,i] zero\noutput E\nE = A[a,a]\n",
                      {.spaces = {{"o", {2, 2}}, {"v", {2, 2}}}}),
              HasSubstr("7:5: error: indices `i` and `a` are of two spaces"));
  EXPECT_THAT(refused(head + "output Z[a,i]\nX[a,j] = 0\nZ[a,i] = T1[a,i] / X[a,i]\n"),
              HasSubstr("11:10: error: this divides by `X_aa`, which is zero"));
  EXPECT_THAT(refused(head + "print norm(T1) + norm(T2)\n"),
              HasSubstr("9:7: error: the norm of a tensor of spin orbitals stands alone"));
  EXPECT_THAT(refused(head + "output T1_aa[a,i]\nT1_aa[a,i] = T1[a,i]\n"),
              HasSubstr("would be called `T1_aa`, which is taken"));
  EXPECT_THAT(refused(head + "print Q\n"), StartsWith("t.ric:9:7: error: unknown tensor")) << "as of any program";
}

TEST(SpinIntegrated, OptionsHaveToFit) {
  EXPECT_THAT(refused(head, {.spaces = {{"x", {1, 1}}}}), HasSubstr("there is no space `x` to set"));
  EXPECT_THAT(refused(head, {.spaces = {{"o", {-1, 1}}}}),
              HasSubstr("space `o` was given -1 alpha and 1 beta orbitals"));
  EXPECT_THAT(refused(head, {.spaces = {{"o", {1, 1, "v"}}}}), HasSubstr("would be called `v`, which is taken"));
  SpinOptions options = orbitals(3, 4);
  options.patterns = {{"Q", {"ab"}}};
  EXPECT_THAT(refused(head, options), HasSubstr("there is no tensor `Q` in t.ric"));
  options.patterns = {{"T1", {"abc"}}};
  EXPECT_THAT(refused(head, options), HasSubstr("the pattern `abc` does not fit tensor `T1`"));
}

TEST(SpinIntegrated, OptionsNameSpacesAndBlocks) {
  SpinOptions options{.spaces = {{"o", {3, 2, "up", "down"}}, {"v", {4, 5}}}, .patterns = {{"S", {"b*"}}}};
  const std::string text = spin_integrated(
      "space o = 5\nspace v = 9\nindex i i' : o\nindex a : v\ninput S[a,i] from \"S.npy\"\noutput E\n"
      "E = S[a,i] * S[a,i'] * S[a,i]\n",
      "t.ric", options);
  EXPECT_THAT(text, HasSubstr("space up   = 3\nspace down = 2\n"));
  EXPECT_THAT(text, HasSubstr("index i i'     : up\nindex i'' i''' : down\n"));
  EXPECT_THAT(text, HasSubstr("input  S_ba[a',i]   from \"S_ba.npy\"\ninput  S_bb[a',i''] from \"S_bb.npy\"\n"));
}

}  // namespace
}  // namespace ricci
