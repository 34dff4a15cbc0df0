// Basis sets by name and from text.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "basis/basis_set.hpp"
#include "basis/gaussian94.hpp"

using namespace cc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace {

Molecule atoms(std::vector<int> numbers) {
  Molecule molecule;
  for (const int number : numbers)
    molecule.atoms.push_back({.number = number, .at = {0, 0, 2.0 * static_cast<double>(molecule.atoms.size())}});
  return molecule;
}

int functions(const std::string& name, const Molecule& molecule, bool spherical = true) {
  return load_basis(name, molecule, spherical).functions();
}

ElementShells parse(const std::string& text) {
  std::istringstream in(text);
  return read_gaussian94(in, "my.gbs");
}

void expect_error(const std::string& text, const std::string& message) {
  EXPECT_THAT([&] { parse(text); }, ThrowsMessage<ricci::InputError>(HasSubstr(message))) << text;
}

const Molecule water = atoms({8, 1, 1});

}  // namespace

TEST(Basis, CountsFunctions) {
  EXPECT_EQ(functions("sto-3g", water), 7);
  EXPECT_EQ(functions("6-31g", water), 13);
  EXPECT_EQ(functions("6-31g**", water, false), 25);
  EXPECT_EQ(functions("6-31g**", water), 24);
  EXPECT_EQ(functions("cc-pvdz", water), 24);
  EXPECT_EQ(functions("cc-pvtz", water), 58);
  EXPECT_EQ(functions("cc-pvqz", water), 115);
  EXPECT_EQ(functions("aug-cc-pvdz", water), 41);
  EXPECT_EQ(functions("aug-cc-pvqz", water), 172);
  EXPECT_EQ(functions("def2-svp", water), 24);
  EXPECT_EQ(functions("def2-tzvp", water), 43);
}

TEST(Basis, TakesNamesAsPeopleWriteThem) {
  EXPECT_EQ(functions("CC-pVDZ", water), 24);
  EXPECT_EQ(functions("6-31G*", water), functions("6-31g(d)", water));
  EXPECT_EQ(functions("6-31+G**", water), functions("6-31pgss", water));
  EXPECT_EQ(functions("6-31++G(d,p)", water), functions("6-31ppgss", water));
  EXPECT_GT(functions("6-31++G**", water), functions("6-31+G**", water));
  EXPECT_EQ(functions("def2-SV(P)", water), 18);
}

TEST(Basis, ReadsEveryFileThatThereIs) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RICCI_CC_TESTS "/../../share/basis")) {
    EXPECT_GT(functions(entry.path().string(), water), 6) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 27);
}

TEST(Basis, HasTheShellsOfEachAtomInTheOrderOfTheMolecule) {
  const BasisSet basis = load_basis("sto-3g", atoms({1, 8, 1}), true);
  std::vector<int> of, l;
  for (const Shell& shell : basis.shells) {
    of.push_back(shell.atom);
    l.push_back(shell.l);
  }
  EXPECT_THAT(of, ElementsAre(0, 1, 1, 1, 2));
  EXPECT_THAT(l, ElementsAre(0, 0, 0, 1, 0));
  EXPECT_THAT(basis.first_functions(), ElementsAre(0, 1, 2, 3, 6));
}

TEST(Basis, SaysWhichNamesThereAre) {
  EXPECT_THAT([] { load_basis("cc-pv9z", water, true); },
              ThrowsMessage<ricci::InputError>(AllOf(HasSubstr("no basis set cc-pv9z"), HasSubstr("cc-pvqz"),
                                                     HasSubstr("6-31++g**"), HasSubstr("6-31+g*,"),
                                                     HasSubstr("def2-sv(p)"), HasSubstr("sto-3g"))));
}

TEST(Basis, NamesElementsThatAreLacking) {
  EXPECT_THAT(
      [] {
        load_basis("6-31+g", atoms({1, 33, 26}), true);
      },
      ThrowsMessage<ricci::InputError>(HasSubstr("no functions for Fe, As")));
}

TEST(Basis, LooksWhereRICCI_SHARESays) {
  const std::filesystem::path share = std::filesystem::temp_directory_path() / "ricci_cc_basis_test";
  std::filesystem::create_directories(share / "basis");
  std::ofstream(share / "basis" / "mine.gbs") << "He 0\nS 1 1.0\n 1.0 1.0\n****\n";
  ::setenv("RICCI_SHARE", share.c_str(), 1);
  EXPECT_EQ(functions("MINE", atoms({2})), 1);
  EXPECT_THAT([] { load_basis("sto-3g", water, true); },
              ThrowsMessage<ricci::InputError>(HasSubstr("there are mine,")));
  ::setenv("RICCI_SHARE", "/nowhere", 1);
  EXPECT_THAT([] { load_basis("sto-3g", water, true); },
              ThrowsMessage<ricci::InputError>(HasSubstr("no folder /nowhere/basis")));
  ::unsetenv("RICCI_SHARE");
  std::filesystem::remove_all(share);
}

TEST(Basis, CannotReadFilesThatAreNotThere) {
  EXPECT_THAT([] { load_basis("not/there.gbs", water, true); },
              ThrowsMessage<ricci::InputError>("cannot read not/there.gbs"));
}

TEST(Gaussian94, ReadsShells) {
  const ElementShells elements = parse(
      "! words\nspherical\n****\nO     0 ! oxygen\nS 2 1.00\n 1.5D+02 0.5\n 2.5d-01 -1.0E-1\nsp 1 2.0\n 0.5 0.25 0.75\n"
      "G 1\n 3 1\n****\n\nUuo 0\nS 1 1.0\n 1 1\n****\n-H 0\nS 3 1.0\n 1 0.0\n 2 1.0\n 3 0.0\n****\n");
  ASSERT_EQ(elements.size(), 2U);
  const std::vector<Shell>& shells = elements.at(8);
  ASSERT_EQ(shells.size(), 4U);
  EXPECT_THAT(shells[0].exponents, ElementsAre(150, 0.25));
  EXPECT_THAT(shells[0].coefficients, ElementsAre(0.5, -0.1));
  EXPECT_EQ(shells[1].l, 0);
  EXPECT_EQ(shells[2].l, 1);
  EXPECT_THAT(shells[1].exponents, ElementsAre(2));  // 0.5 times the square of the scale
  EXPECT_THAT(shells[1].coefficients, ElementsAre(0.25));
  EXPECT_THAT(shells[2].coefficients, ElementsAre(0.75));
  EXPECT_EQ(shells[3].l, 4);
  EXPECT_THAT(elements.at(1)[0].exponents, ElementsAre(2)) << "primitives with nothing before them";
}

TEST(Gaussian94, SaysWhatIsWrongAndWhere) {
  expect_error("", "my.gbs:0: there is no element");
  expect_error("H 1\n", "my.gbs:1: an element starts with a line `symbol 0`, not \"H 1\"");
  expect_error("H2 0\n", "my.gbs:1: an element starts");
  expect_error("RB-ECP 3 28\n", "my.gbs:1: effective core potentials");
  expect_error("H 0\n", "my.gbs:1: the file ends before the **** that ends element H of line 1");
  expect_error("H 0\n****\n", "my.gbs:2: element H has no functions");
  expect_error("H 0\nS\n", "my.gbs:2: a shell starts with a line");
  expect_error("H 0\nX 1 1.0\n", "my.gbs:2: a shell is of type S, P, SP, D, F, G, H, I or K, not X");
  expect_error("H 0\nS 0 1.0\n", "my.gbs:2: a shell has 1 or more primitives, not 0");
  expect_error("H 0\nS 1.5 1.0\n", "my.gbs:2: a shell has 1 or more primitives, not 1.5");
  expect_error("H 0\nS 1 0\n", "my.gbs:2: the scale of a shell");
  expect_error("H 0\nS 2 1.0\n 1.0 1.0\n****\n", "my.gbs:4: here should be primitive 2 of 2: an exponent and a coef");
  expect_error("H 0\nSP 1 1.0\n 1.0 1.0\n****\n", "my.gbs:3: here should be primitive 1 of 1");
  expect_error("H 0\nS 1 1.0\n 1.0x 1.0\n****\n", "my.gbs:3: 1.0x is no number");
  expect_error("H 0\nS 1 1.0\n -1.0 1.0\n****\n", "my.gbs:3: an exponent is a positive number, not -1.0");
  expect_error("H 0\nS 1 1.0\n 1.0 0.0\n****\n", "my.gbs:3: all coefficients of a shell S are zero");
  expect_error("H 0\nS 1 1.0\n 1.0 1.0\n****\nH 0\nS 1 1.0\n 1.0 1.0\n****\n", "element H is here for a second time");
}
