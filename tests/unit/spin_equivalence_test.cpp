// The program over blocks against the one over spin orbitals, every element of every block, both run by an oracle that
// shares nothing with the library but the reading of programs.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "program_text.hpp"
#include "spin_oracle.hpp"

namespace ricci::spin {
namespace {

using oracle::expect_same;

SpinOptions orbitals(std::int64_t occupied_alpha, std::int64_t occupied_beta, std::int64_t virtual_alpha,
                     std::int64_t virtual_beta) {
  return {.spaces = {{"no", {occupied_alpha, occupied_beta}}, {"nv", {virtual_alpha, virtual_beta}}}};
}

/// Different numbers of both spins, no beta, and no spin at all that a group of three could be made of.
const std::vector<SpinOptions> cases = {orbitals(2, 1, 1, 2), orbitals(1, 0, 2, 3), orbitals(3, 1, 3, 2),
                                        orbitals(0, 2, 1, 1), orbitals(2, 2, 2, 2)};

const std::string head =
    "space no = 4\nspace nv = 4\nindex i j k l m n o : no\nindex a b c d e f g : nv\n"
    "input F[m,e] random(1)\ninput Fae[a,e] random(2)\ninput Fmi[m,i] random(3)\n"
    "input T1[a,i] random(4)\n"
    "input T2[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j) random(5)\n"
    "input T3[a,b,c,i,j,k] antisymmetric(a,b,c) antisymmetric(i,j,k) random(6)\n"
    "input Voovv[m,n,e,f] antisymmetric(m,n) antisymmetric(e,f) random(7)\n"
    "input Vvvvv[a,b,e,f] antisymmetric(a,b) antisymmetric(e,f) random(8)\n"
    "input Voooo[m,n,i,j] antisymmetric(m,n) antisymmetric(i,j) random(9)\n"
    "input Vvoov[a,m,i,e] random(10)\n"
    "input Vvvvo[a,b,e,i] antisymmetric(a,b) random(11)\n"
    "input Vvooo[a,m,i,j] antisymmetric(i,j) random(12)\n"
    "input S2[a,b,i,j] symmetric(a,b) symmetric(i,j) random(13)\n"
    "input x[i] random(14)\ninput y[a] random(15)\n";

void expect_all_same(const std::string& statements) {
  unsigned seed = 1;
  for (const SpinOptions& options : cases) expect_same(head + statements, options, seed++);
}

/// Energies of each pass are printed, then two norms; how many passes there are is a result, too.
std::size_t passes_of(const std::string& text, const SpinOptions& options) {
  notation::SpaceSizes sizes;
  for (const auto& [name, space] : options.spaces) sizes[name] = space.alpha_extent + space.beta_extent;
  const auto program = notation::bound(text, sizes);
  std::mt19937 random(3);
  return oracle::run(program, oracle::random_inputs(program, options, random)).printed.size() - 2;
}

TEST(SpinEquivalence, TheWholeOfCcsd) {
  // Larger integrals than the example's: so few orbitals would converge at once.
  std::string text = notation::example_programs().at("ccsd.ric");
  for (std::size_t at; (at = text.find("= 0.0")) != std::string::npos;) text.replace(at, 5, "= 0.");
  for (const SpinOptions& options : {orbitals(2, 1, 2, 3), orbitals(1, 0, 3, 2), orbitals(2, 2, 2, 2)}) {
    const std::size_t passes = passes_of(text, options);
    EXPECT_GE(passes, options.spaces.at("no").beta_extent == 0 ? 1u : 6u);
    EXPECT_LT(passes, 50u);
    std::vector<bool> squared(passes, false);
    squared.insert(squared.end(), 2, true);
    expect_same(text, options, 3, squared);
  }
}

TEST(SpinEquivalence, TermsOfTriples) {
  const char* const right_sides[] = {
      "Vvvvo[b,c,e,k] * T2[a,e,i,j]",
      "Vvooo[a,m,i,j] * T2[b,c,m,k]",
      "Fae[a,e] * T3[e,b,c,i,j,k] - Fmi[m,i] * T3[a,b,c,m,j,k]",
      "1/2 * Vvvvv[a,b,e,f] * T3[e,f,c,i,j,k]",
      "1/2 * Voooo[m,n,i,j] * T3[a,b,c,m,n,k]",
      "Vvoov[a,m,i,e] * T3[e,b,c,m,j,k]",
      "T1[a,i] * T1[b,j] * T1[c,k]",
      "1/6 * T1[a,i] * T1[b,j] * T1[c,k]",
      "T1[a,i] * T2[b,c,j,k]",
      "F[m,e] * T2[a,b,i,m] * T2[e,c,j,k]",
      "1/2 * Voovv[m,n,e,f] * T3[a,e,f,i,j,k] * T2[b,c,m,n]",
      "-Voovv[m,n,e,f] * T1[f,n] * T3[e,b,c,i,j,k] * T1[a,m]",
      "1/4 * Voovv[m,n,e,f] * T3[e,f,a,i,j,k] * T2[b,c,m,n] - T3[a,b,c,i,j,k]",
      "T3[a,b,c,i,j,k] * (F[m,e] * T1[e,m] + 1/4 * Voovv[m,n,e,f] * T2[e,f,m,n])",
  };
  for (const std::string right : right_sides)
    expect_all_same("output Z[a,b,c,i,j,k] antisymmetric(a,b,c) antisymmetric(i,j,k)\nZ[a,b,c,i,j,k] = " + right +
                    "\n");
}

TEST(SpinEquivalence, IntermediatesOfTriples) {
  // Blocks are found from what is assigned; groups of three that are broken; the same intermediate with symmetry.
  expect_all_same(
      "output Z2[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j)\noutput E\n"
      "tensor W[m,b,c,i,j,k] antisymmetric(b,c) antisymmetric(i,j,k)\n"
      "W[m,b,c,i,j,k] = F[m,e] * T3[e,b,c,i,j,k] + 1/2 * Voovv[m,n,e,f] * T3[e,f,b,i,j,k] * T1[c,n]\n"
      "U[m,b,c,i,j,k] = W[m,b,c,i,j,k] - F[m,e] * T3[b,e,c,k,j,i]\n"
      "Z2[a,b,i,j] = U[m,a,b,m,i,j] + 1/4 * Voovv[m,n,e,f] * T3[a,e,f,i,m,n] * T1[b,j]\n"
      "Z2[a,b,i,j] -= 1/2 * Voovv[m,n,e,f] * T3[a,b,f,i,m,n] * T1[e,j]\n"
      "E = 1/4 * T3[a,b,c,i,j,k] * W[i,b,c,m,j,k] * F[m,a]\n"
      "print 2 * E - 1\n");
}

TEST(SpinEquivalence, Denominators) {
  expect_all_same(
      "tensor D1[a,i]\ntensor D3[a,b,c,i,j,k] symmetric(a,b,c) symmetric(i,j,k)\n"
      "output Z[a,b,c,i,j,k] antisymmetric(a,b,c) antisymmetric(i,j,k)\n"
      "D1[a,i] = x[i] - y[a] - 4\nD3[a,b,c,i,j,k] = 1/3 * D1[a,i]\n"
      "Z[a,b,c,i,j,k] = (T3[a,b,c,i,j,k] - T1[a,i] * T2[b,c,j,k]) / D3[a,b,c,i,j,k] / 2\n");
}

TEST(SpinEquivalence, OutputsReadInTheirOwnStatements) {
  for (SpinOptions options : cases) {
    options.patterns = {{"X", {"****"}}, {"Z", {"**"}}};
    expect_same(
        head +
            "output X[a,i,b,j]\ntensor Y[a,b] antisymmetric(a,b)\noutput Z[a,b]\n"
            "X[a,i,b,j] = T1[a,i] * T1[b,j]\nX[a,i,b,j] = X[b,i,a,j] + 2 * X[a,j,b,i]\nX[a,i,b,j] += X[b,j,a,i]\n"
            "Y[a,b] = y[a] + Fae[a,b]\nrepeat 2 {\nY[a,b] += y[c] * Y[a,c]\n}\nZ[a,b] += Y[a,c] * Y[c,b] * y[a] * "
            "y[b]\n",
        options, 4);
  }
}

TEST(SpinEquivalence, DiagonalsTracesAndRepeatedValues) {
  SpinOptions options = orbitals(2, 1, 1, 3);
  options.patterns = {{"R", {"**"}}, {"Q", {"***"}}, {"P", {"**"}}, {"M", {"ab", "aa"}}};
  expect_same(
      head +
          "input M[i,j] symmetric(i,j) random(1)\noutput R[i,j]\noutput Q[a,i,j] symmetric(i,j)\noutput P[i,j] "
          "hollow(i,j)\noutput s\n"
          "R[i,i] = x[i] * M[i,i]\nR[i,j] += x[i]\nR[i,j] -= M[k,k] + M[i,j] * Fmi[i,i]\n"
          "Q[a,i,j] = y[a] + 2 * M[i,j] + Vvoov[a,i,i,a] * x[j]\nP[i,j] = x[i] + M[i,j] + 1\ns = M[i,i] + R[j,j]\n"
          "tensor A[a,b] antisymmetric(a,b)\nA[a,b] = 1 + S2[a,b,i,i]\nprint s + A[a,b] * Fae[a,b]\n",
      options, 5);
}

TEST(SpinEquivalence, NormsAndLoops) {
  SpinOptions options = orbitals(2, 1, 1, 2);
  const std::string text = head +
                           "output Z[a,b,i,j] antisymmetric(a,b) antisymmetric(i,j)\noutput w\n"
                           "Z[a,b,i,j] = T2[a,b,i,j]\nw = 3\n"
                           "repeat until 2 * norm(Z) / norm(T2) / norm(w) < 1e-3 max 30 {\n"
                           "Z[a,b,i,j] -= 1/2 * Z[a,b,i,j]\nprint Z[a,b,i,j] * Z[a,b,i,j]\n}\n"
                           "print 2 * norm(Z)\nprint norm(Z) / norm(T2)\n";
  std::vector<bool> squared(10, false);
  squared.insert(squared.end(), 2, true);
  expect_same(text, options, 7, squared);
}

TEST(SpinEquivalence, SpacesWithoutSpinStay) {
  SpinOptions options = orbitals(2, 1, 1, 2);
  expect_same(
      "space no = 3\nspace nv = 3\nspace nq = no + 2\nindex i j : no\nindex a b : nv\nindex p q : nq\n"
      "input B[p,a,i] random(1)\ninput C[p,q] antisymmetric(p,q) random(2)\noutput V[a,b,i,j] antisymmetric(a,b)\n"
      "output G[p,q] symmetric(p,q)\n"
      "V[a,b,i,j] = C[p,q] * B[p,a,i] * B[q,b,j]\nG[p,q] = B[p,a,i] * B[q,a,i]\nprint C[p,q] * G[p,q]\n",
      options, 2);
}

}  // namespace
}  // namespace ricci::spin
