#include "notation/bind_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program_text.hpp"

namespace ricci::notation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = ProgramExpression::Kind;

const std::string head =
    "space n = 8\nspace m = n + 2\nindex i j k : n\nindex a b : m\nindex x : 5\n"
    "input A[i,j] random(3)\ninput v[i] zero\ninput s random(1)\n";

/// What the statements print as, after `head`.
std::string statements(const std::string& text) {
  const std::string all = shown(head + text);
  const std::string last = "input s: double random(1)\n";
  return all.substr(all.find(last) + last.size());
}

std::vector<std::string> notes(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& note : read_program(Source("t.ric", text)).notes)
    lines.push_back(note.substr(0, note.find('\n')));
  return lines;
}

TEST(BindProgram, DeclarationsBecomeLabelsAndTensors) {
  const Program program = bound(
      "space n = 4\nspace m = 2 * n - 3\nindex i j : n\nindex a b : m\nindex x : 7\n"
      "input A[i,a,j,b] antisymmetric(i,j) symmetric(b,a) complex from \"A.h5:/A\" disk\n"
      "output B[x,i] single to \"B.npy\" sparse\n"
      "tensor C[x] complex single\n"
      "input E random(18446744073709551615)\n"
      "B[x,i] = 0\n");
  EXPECT_EQ(program.name, "t.ric");
  ASSERT_EQ(program.labels.size(), 5u);
  EXPECT_EQ(program.labels[2].name, "a");
  EXPECT_EQ(program.labels[2].space, "m");
  EXPECT_EQ(program.labels[2].extent, 5);
  EXPECT_EQ(program.labels[2].place, (Place{4, 7}));
  EXPECT_EQ(program.labels[4].space, "");
  ASSERT_EQ(program.tensors.size(), 4u);
  const ProgramTensor& a = program.tensors[0];
  EXPECT_EQ(a.role, Role::input);
  EXPECT_EQ(a.labels, (std::vector<int>{0, 2, 1, 3}));
  EXPECT_EQ(a.shape, symmetry::Shape({4, 5, 4, 5}, antisymmetric(0, 2) * symmetric(1, 3)));
  EXPECT_EQ(a.type, ElementType::c64);
  EXPECT_EQ(a.origin, Origin::file);
  EXPECT_EQ(a.file, "A.h5:/A");
  EXPECT_TRUE(a.on_disk);
  EXPECT_FALSE(a.sparse);
  EXPECT_EQ(a.place, (Place{6, 7}));
  EXPECT_EQ(program.tensors[1].type, ElementType::f32);
  EXPECT_EQ(program.tensors[1].file, "B.npy");
  EXPECT_TRUE(program.tensors[1].sparse);
  EXPECT_EQ(program.tensors[2].type, ElementType::c32);
  EXPECT_EQ(program.tensors[2].role, Role::temporary);
  EXPECT_EQ(program.tensors[3].shape.order(), 0);
  EXPECT_EQ(program.tensors[3].seed, 18446744073709551615u);
}

TEST(BindProgram, SpacesCanBeSetFromOutside) {
  const std::string text = "space n = 4\nspace m = n + 1\nspace l = 3\nindex i : n\nindex a : m\nindex c : l\n";
  const auto extents = [&](const SpaceSizes& sizes) {
    std::vector<std::int64_t> all;
    for (const auto& label : bound(text, sizes).labels) all.push_back(label.extent);
    return all;
  };
  EXPECT_THAT(extents({}), ElementsAre(4, 5, 3));
  EXPECT_THAT(extents({{"n", 10}}), ElementsAre(10, 11, 3)) << "what is made of a space follows it";
  EXPECT_THAT(extents({{"n", 10}, {"m", 0}}), ElementsAre(10, 0, 3));
  EXPECT_THROW(bound(text, {{"q", 1}}), InputError);
  EXPECT_THROW(bound(text, {{"n", -1}}), InputError);
}

TEST(BindProgram, TemporariesFollowTheirLabels) {
  const Program program =
      bound("index i j : 3\ninput A[i,j] complex zero\nX[j,i] = A[i,j]\nY = X[i,i]\nZ = 2\nD[i,i] = X[i,j]\n");
  ASSERT_EQ(program.tensors.size(), 5u);
  EXPECT_EQ(program.tensors[1].labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(program.tensors[1].type, ElementType::c64) << "the type of the right side";
  EXPECT_EQ(program.tensors[2].shape.order(), 0);
  EXPECT_EQ(program.tensors[3].type, ElementType::f64) << "numbers alone are double";
  EXPECT_EQ(program.tensors[4].shape, symmetry::Shape({3, 3}, {}));
  EXPECT_EQ(program.tensors[4].place, (Place{6, 1}));
}

TEST(BindProgram, ExpressionsAreInOneForm) {
  EXPECT_EQ(statements("X[i] = 2 * A[i,j] * 3 * v[j] / 4 - -v[i]\n"),
            "tensor X[i]: double 8\nX[i] = 1.5 * A[i,j] * v[j] + v[i]\n");
  EXPECT_EQ(statements("Y = s / 4 + 1/4 - (s - 2 * s)\n"), "tensor Y: double\nY = 0.25 * s + 0.25 - (s - 2 * s)\n");
  EXPECT_EQ(statements("Y = -(s - 1) * (2 + 3) * (s * (2 * s))\n"), "tensor Y: double\nY = -10 * (s - 1) * s * s\n")
      << "a product in a product joins it";
}

TEST(BindProgram, QuotientsStandOutsideOfTheirProducts) {
  const Program program = bound(head + "X[i] = A[i,j] / v[i] * v[j] / s / 2\n");
  const ProgramExpression& outer = program.statements[0].right;
  ASSERT_EQ(outer.kind, Kind::quotient);
  EXPECT_EQ(program.tensors[outer.operands[1].tensor].name, "s");
  const ProgramExpression& inner = outer.operands[0];
  ASSERT_EQ(inner.kind, Kind::quotient);
  EXPECT_EQ(program.tensors[inner.operands[1].tensor].name, "v");
  const ProgramExpression& product = inner.operands[0];
  ASSERT_EQ(product.kind, Kind::product);
  ASSERT_EQ(product.operands.size(), 3u);
  EXPECT_EQ(product.operands[0].number, 0.5);
  EXPECT_EQ(product.operands[1].labels, (std::vector<int>{0, 1}));
}

TEST(BindProgram, ConjugationGoesToTheTensors) {
  EXPECT_EQ(statements("tensor c[i] complex\nc[i] = 1\nd = conj(c[i] * (2 + conj(c[i])))\n"),
            "tensor c[i]: complex<double> 8\ntensor d: complex<double>\nc[i] = 1\nd = conj(c[i]) * (2 + c[i])\n");
  EXPECT_FALSE(bound(head + "Y = conj(s)\n").statements[0].right.conjugate) << "a real tensor is its own conjugate";
}

TEST(BindProgram, StatementsKeepTheirKindAndPlace) {
  const Program program = bound(head + "output Z[i]\nZ[i] += v[i]\n  Z[j] -= A[j,i]\nprint  norm( Z )*2\n");
  ASSERT_EQ(program.statements.size(), 3u);
  EXPECT_EQ(program.statements[0].kind, ProgramStatement::Kind::add) << "a declared tensor begins as zero";
  EXPECT_EQ(program.statements[1].kind, ProgramStatement::Kind::subtract);
  EXPECT_EQ(program.statements[1].labels, std::vector<int>{1});
  EXPECT_EQ(program.statements[1].place, (Place{11, 3}));
  EXPECT_EQ(program.statements[2].kind, ProgramStatement::Kind::print);
  EXPECT_EQ(program.statements[2].text, "norm(Z) * 2");
  EXPECT_EQ(program.statements[2].right.operands[1].kind, Kind::norm);
}

TEST(BindProgram, Loops) {
  const Program program =
      bound(head + "repeat until R[i] * R[i] < 1/1000 max m { R[i] = v[i]\nrepeat 2 { R[i] += v[i] } }\n");
  const ProgramStatement& loop = program.statements[0];
  EXPECT_EQ(loop.kind, ProgramStatement::Kind::repeat);
  EXPECT_TRUE(loop.has_condition);
  EXPECT_EQ(loop.threshold, 0.001);
  EXPECT_EQ(loop.times, 10) << "a space may say how often";
  EXPECT_EQ(loop.text, "R[i] * R[i]");
  ASSERT_EQ(loop.body.size(), 2u);
  EXPECT_EQ(loop.body[1].times, 2);
  EXPECT_FALSE(loop.body[1].has_condition);
}

TEST(BindProgram, EveryUseThatTheSemanticsAllow) {
  const char* const allowed[] = {
      "X[i,j] = v[i]",              // repeated along j
      "X[i,i] = v[i]",              // a diagonal
      "X = A[i,i]",                 // a trace
      "X[i] = A[i,j]",              // summed over j
      "X[i,j] = A[j,i] * v[i]",     // elementwise along i
      "X[i] = 1",                   // filled
      "X[i] = 1 / v[i]",            // elementwise
      "X[i,j] = v[i] / v[j]",       // element by element of the output
      "print A[i,j] * A[j,i] / s",  // all labels are summed
      "print norm(v) / norm(A)",    // of numbers
  };
  for (const char* text : allowed) EXPECT_NO_THROW(bound(head + text)) << text;
}

TEST(BindProgram, WhatALoopReadsMayBeSetBeforeIt) {
  EXPECT_NO_THROW(bound(head + "T[i] = v[i]\nrepeat 3 {\n  X[i] = T[i]\n  T[i] = 2 * X[i]\n}\nprint norm(X)\n"));
  EXPECT_THAT(refusal(head + "tensor T[i]\nrepeat 3 {\n  X[i] = T[i]\n  T[i] = 2 * X[i]\n}\n"),
              HasSubstr("t.ric:11:10: error: `T` is used before it is set"));
}

TEST(BindProgram, SpacesIndicesAndTensorsHaveNamesOfTheirOwn) {
  const Program program = bound("space e = 3\nindex e : e\ninput e[e] random(1)\nprint e[e]\n");
  EXPECT_EQ(program.labels[0].space, "e");
  EXPECT_EQ(program.statements[0].right.labels, std::vector<int>{0});
}

TEST(BindProgram, EmptyAndSingleExtentsAreFine) {
  const Program program =
      bound("space n = 0\nindex i j : n\nindex k : 1\ninput A[i,j,k] symmetric(i,j) zero\nprint norm(A)\n");
  EXPECT_EQ(program.tensors[0].shape.full_size(), 0);
}

TEST(BindProgram, NotesWhatNothingUses) {
  EXPECT_THAT(
      notes("space n = 3\nspace m = 2\nindex i j : n\ninput A[i] zero\ninput B[i] zero\ntensor C[i]\nX[i] = A[i]\n"),
      ElementsAre("t.ric:2:7: note: space `m` is not used", "t.ric:3:9: note: index `j` is not used",
                  "t.ric:5:7: note: input `B` is not used", "t.ric:6:8: note: `C` is declared, but not used",
                  "t.ric:7:1: note: `X` is set, but not used"));
  EXPECT_THAT(notes("space n = 3\nspace m = 3\nindex i : n\nindex a : m\ninput A[i] zero\nprint A[a]\n"),
              ElementsAre("t.ric:6:9: note: index `a` of space m stands for `i` of space n; both are 3 now"));
}

TEST(BindProgram, NothingIsSaidAboutWhatFollowsFromAnError) {
  const std::string message = refusal(
      "space n = nope\nindex i j : n\ninput A[i,j] symmetric(i,j) zero\ninput B[i zero\noutput C[i]\n"
      "C[i] = A[i,j] * B[j]\nD[i] = C[i] * A[i,i]\nprint norm(D)\n");
  EXPECT_THAT(message, HasSubstr("t.ric:1:11: error: unknown space `nope`"));
  EXPECT_THAT(message, HasSubstr("t.ric:4:11: error: expected `,` or `]`, found `zero`"));
  EXPECT_EQ(message.find("error", message.find("t.ric:4:11: error") + 20), std::string::npos) << message;
}

TEST(BindProgram, PrintsWhatItIs) {
  EXPECT_EQ(
      shown(head +
            "output B[a,b] hollow(a,b) disk to \"B.npy\"\n"
            "B[a,b] = s * 2\nrepeat until norm(B) < 0.5 max 3 {\n  B[a,b] -= B[a,b] / (s)\n}\nrepeat 2 { print s }\n"),
      "index i j k : 8 (n)\n"
      "index a b : 10 (m)\n"
      "index x : 5\n"
      "input A[i,j]: double 8,8 random(3)\n"
      "input v[i]: double 8 zero\n"
      "input s: double random(1)\n"
      "output B[a,b]: double 10,10 [0 1]o disk to \"B.npy\"\n"
      "B[a,b] = 2 * s\n"
      "repeat until norm(B) < 0.5 max 3 {\n"
      "  B[a,b] -= B[a,b] / s\n"
      "}\n"
      "repeat 2 {\n"
      "  print s\n"
      "}\n");
}

TEST(BindProgram, ExamplesHaveNoErrorsAndNoNotes) {
  const auto programs = example_programs();
  for (const char* name : {"matmul.ric", "ao_to_mo.ric", "mp2.ric", "ccd.ric", "ccsd.ric"})
    EXPECT_TRUE(programs.contains(name)) << name;
  for (const auto& [name, text] : programs) {
    EXPECT_THAT(read_program(Source(name, text)).notes, testing::IsEmpty()) << name;
  }
}

TEST(BindProgram, TheProgramInTheDocumentationIsOne) {
  std::ostringstream page;
  page << std::ifstream(RICCI_EXAMPLES "/../docs/language.md").rdbuf();
  const std::string mark = "\n```\n", all = page.str();
  const auto begin = all.find(mark) + mark.size();
  const std::string text = all.substr(begin, all.find(mark, begin) + 1 - begin);
  EXPECT_EQ(bound(text).statements.size(), 2u);
  EXPECT_EQ(formatted(text), text);
}

}  // namespace
}  // namespace ricci::notation
