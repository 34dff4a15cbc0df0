// Hamiltonians from files and to files.
#include "fcidump/fcidump.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "ranks/ranks.hpp"

namespace cc {
namespace {

Fcidump read(const std::string& text) {
  std::istringstream in(text);
  return read_fcidump(in, "x.fcidump", ricci::World());
}

std::string message(const std::string& text) {
  try {
    read(text);
  } catch (const ricci::InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string head = "&FCI NORB=2,NELEC=2,MS2=0,\n&END\n";

double element(const Fcidump& dump, int p, int q, int r, int s) {
  const std::int64_t n = dump.orbitals;
  const std::int64_t keys[] = {(((p - 1) * n + q - 1) * n + r - 1) * n + s - 1};
  return dump.two_electron.read(keys)[0];
}

TEST(Fcidump, LinesInAnyOrderUnderAnyName) {
  const Fcidump dump = read(
      " &FCI NORB= 3,NELEC= 4,MS2= 2,\n  ORBSYM=1,5,1,\n  ISYM=1\n &END\n"
      "  7.5D-01   0   0   0   0\n"
      "  0.25      1   2   3   3\n"  // with ascending indices, before the one-electron part and after the core energy
      " -1.5e0 3 1 0 0\n"
      " 0.5 2 2 0 0\n"
      " -20.1 2 0 0 0\n"  // an orbital energy
      "\n"
      "  .125d0, 3, 2, 1, 1\r\n"
      "  0.25000000001   3   3   2   1\n"  // the second again
      "  +1.5-101 3 3 3 3\n");
  EXPECT_EQ(dump.orbitals, 3);
  EXPECT_EQ(dump.electrons, 4);
  EXPECT_EQ(dump.spin, 2);
  EXPECT_EQ(dump.orbital_symmetries, (std::vector<int>{1, 5, 1}));
  EXPECT_EQ(dump.core_energy, 0.75);
  Eigen::Matrix3d h = Eigen::Matrix3d::Zero();
  h(2, 0) = h(0, 2) = -1.5;
  h(1, 1) = 0.5;
  EXPECT_EQ(dump.one_electron, h);
  EXPECT_NEAR(element(dump, 1, 2, 3, 3), 0.25, 1e-10);
  for (const auto& [p, q, r, s] : {std::array{2, 1, 3, 3}, std::array{3, 3, 1, 2}, std::array{3, 3, 2, 1}})
    EXPECT_EQ(element(dump, p, q, r, s), element(dump, 1, 2, 3, 3));
  EXPECT_EQ(element(dump, 1, 1, 2, 3), 0.125);
  EXPECT_EQ(element(dump, 2, 3, 1, 1), 0.125);
  EXPECT_DOUBLE_EQ(element(dump, 3, 3, 3, 3), 1.5e-101);
  EXPECT_EQ(element(dump, 1, 3, 2, 3), 0);
  EXPECT_NEAR(dump.two_electron.sum(), 4 * 0.25 + 4 * 0.125, 1e-10);
}

TEST(Fcidump, HeadersAsProgramsWriteThem) {
  for (const char* text :
       {"&fci norb=4, nelec=3, ms2=1, orbsym=1,1,2,3, isym=1 /\n", "$FCI NORB = 4 NELEC = 3 MS2 = 1 $END\n",
        "\n &FCI NORB=4,\nNELEC=\n3,MS2=+1,UHF=.FALSE.,\nORBSYM=3*1,\n2,\n/\n",
        "&FCI ORBSYM=4*1, IUHF=0, PNTGRP='D2h / x', NELEC=3,NORB=4,MS2=1,NPROP= 1 1 1\n &END\n"}) {
    const Fcidump dump = read(std::string(text) + "1 1 1 0 0\n2 4 4 4 4");
    EXPECT_EQ(dump.orbitals, 4) << text;
    EXPECT_EQ(dump.electrons, 3) << text;
    EXPECT_EQ(dump.spin, 1) << text;
    EXPECT_EQ(dump.one_electron(0, 0), 1) << text;
    EXPECT_EQ(element(dump, 4, 4, 4, 4), 2) << text;
  }
  EXPECT_EQ(read("&FCI NORB=2 NELEC=2 /\n").spin, 0);
  EXPECT_EQ(read("&FCI NORB=3 NELEC=2 ORBSYM=2*4,1 /\n").orbital_symmetries, (std::vector<int>{4, 4, 1}));
}

TEST(Fcidump, HeadersThatAreRefused) {
  const std::string x = "x.fcidump:";
  EXPECT_EQ(message(""), x + "1: the file ends where `&FCI` should stand");
  EXPECT_EQ(message("3\nwater\n"), x + "1: an FCIDUMP begins with `&FCI NORB=..., NELEC=..., MS2=...`, not with \"3\"");
  EXPECT_EQ(message("&FCI NORB=2,\nNELEC=2\n1.0 1 1 0 0\n"),
            x + "4: the file ends within its header, which `&END` or `/` should close");
  EXPECT_EQ(message("&FCI NORB 2 /\n"), x + "1: `NORB` is no setting: write NAME=VALUE");
  EXPECT_EQ(message("&FCI = 2 /\n"), x + "1: there is no name before `=`");
  EXPECT_EQ(message("&FCI NELEC=2 /\n"), x + "1: the header has no NORB");
  EXPECT_EQ(message("&FCI NORB=2 /\n"), x + "1: the header has no NELEC");
  EXPECT_EQ(message("&FCI NELEC=2\nNORB=x /\n"), x + "2: NORB=x is no integer");
  EXPECT_EQ(message("&FCI NELEC=2\nNORB=1 2 /\n"), x + "2: NORB is one number, not 2");
  EXPECT_EQ(message("&FCI NELEC=2\nNORB=0 /\n"), x + "2: NORB=0: a number of orbitals from 1 to 30000");
  EXPECT_EQ(message("&FCI NORB=2\nNELEC=5 /\n"), x + "2: NELEC=5: 2 orbitals have room for 0 to 4 electrons");
  EXPECT_EQ(message("&FCI NORB=2,NELEC=2,\nMS2=1 /\n"),
            x + "2: MS2=1: 2 electrons in 2 orbitals have an even one, from 0 to 2");
  EXPECT_EQ(message("&FCI NORB=2,NELEC=3,MS2=3 /\n"),
            x + "1: MS2=3: 3 electrons in 2 orbitals have an odd one, from 0 to 1");
  EXPECT_EQ(message("&FCI NORB=2,NELEC=2,\nORBSYM=1,1,1 /\n"),
            x + "2: ORBSYM has 3 numbers, one for each of 2 orbitals are wanted");
  EXPECT_EQ(message("&FCI NORB=2,NELEC=2,ORBSYM=0*1 /\n"), x + "1: ORBSYM=0*1 repeats too often");
  for (const char* uhf : {"UHF=.TRUE.", "IUHF=1"})
    EXPECT_EQ(message(std::string("&FCI NORB=2,NELEC=2,\n") + uhf + " /\n"),
              x + "2: " + uhf + ": integrals of unrestricted orbitals are not read; dump those of restricted ones");
}

TEST(Fcidump, LinesThatAreRefused) {
  const std::string x = "x.fcidump:";
  EXPECT_EQ(message(head + "(1.0,0.0) 1 1 1 1\n"), x + "3: (1.0 is no number; a line is `value p q r s`");
  EXPECT_EQ(message(head + "nan 1 1 1 1\n"), x + "3: nan is no number; a line is `value p q r s`");
  EXPECT_EQ(message(head + "1.0 1 1 1\n"), x + "3: there are fewer than four indices; a line is `value p q r s`");
  EXPECT_EQ(message(head + "1.0 1 1 1 1.5\n"), x + "3: 1.5 is no index; a line is `value p q r s`");
  EXPECT_EQ(message(head + "1.0 1 1 1 1 1\n"), x + "3: there is `1` after the four indices");
  EXPECT_EQ(message(head + "1.0 1 1 1 1\n1.0 1 1 3 1\n"), x + "4: there is no orbital 3 among 2");
  EXPECT_EQ(message(head + "1.0 -1 1 1 1\n"), x + "3: there is no orbital -1 among 2");
  for (const char* indices : {"1 1 1 0", "0 0 1 1", "0 1 0 0", "1 0 1 0"})
    EXPECT_EQ(message(head + "1.0 " + indices + "\n"),
              x + "3: indices " + indices + " are those of no integral: zeros stand at the end");
}

TEST(Fcidump, ContradictionsNameTheLine) {
  const std::string x = "x.fcidump:";
  EXPECT_EQ(message(head + "0.5 2 1 1 1\n0.25 2 2 2 2\n0.6 1 1 1 2\n0.7 2 2 2 2\n"),
            x + "5: (2 1|1 1) is 0.6 here, but was 0.5 before");
  EXPECT_EQ(message(head + "0.5 2 1 0 0\n0.6 1 2 0 0\n"), x + "4: h(1,2) is 0.6 here, but was 0.5 before");
  EXPECT_EQ(message(head + "0.5 0 0 0 0\n0.0 0 0 0 0\n"), x + "4: the core energy is 0 here, but was 0.5 before");
  EXPECT_EQ(message(head + "0.5 2 1 1 1\n0.0 1 1 1 2\n"), x + "4: (2 1|1 1) is 0 here, but was 0.5 before");
}

TEST(Fcidump, FilesThatAreNotThere) {
  EXPECT_THROW(read_fcidump("none.fcidump", ricci::World()), ricci::InputError);
  const Fcidump dump = read(head);
  EXPECT_THROW(write_fcidump("no/where.fcidump", dump, Held(dump.two_electron)), ricci::InputError);
}

/// More integrals than one batch has.
Fcidump many(int n) {
  Fcidump dump{.orbitals = n,
               .electrons = 7,
               .spin = 3,
               .core_energy = -0.1,
               .one_electron = {},
               .two_electron = {},
               .orbital_symmetries = {}};
  dump.one_electron = Eigen::MatrixXd::Random(n, n);
  dump.one_electron = (dump.one_electron + dump.one_electron.transpose()).eval();
  dump.orbital_symmetries.assign(static_cast<std::size_t>(n), 2);
  dump.two_electron =
      ricci::Tensor<double>(ricci::World(), {n, n, n, n}, ricci::symmetric(0, 1) * ricci::symmetric(2, 3));
  dump.two_electron.fill([](ricci::Index at) {
    const auto pair = [](std::int64_t p, std::int64_t q) {
      return std::cos(static_cast<double>(p * q) + 0.3 * static_cast<double>(p + q));
    };
    const double a = pair(at[0], at[1]), b = pair(at[2], at[3]);
    return (at[0] + at[1] + at[2] + at[3]) % 5 == 0 ? 0.0 : a * b + 0.1 * (a + b);
  });
  return dump;
}

TEST(FcidumpOnRanks, WrittenAndReadItIsTheSame) {
  const Fcidump dump = many(40);
  const std::string file = "round_trip_" + std::to_string(ranks::size()) + ".fcidump";
  write_fcidump(file, dump, Held(dump.two_electron));
  const Fcidump again = read_fcidump(file, ricci::World());
  EXPECT_EQ(again.orbitals, dump.orbitals);
  EXPECT_EQ(again.electrons, dump.electrons);
  EXPECT_EQ(again.spin, dump.spin);
  EXPECT_EQ(again.core_energy, dump.core_energy);
  EXPECT_EQ(again.one_electron, dump.one_electron);
  EXPECT_EQ(again.orbital_symmetries, dump.orbital_symmetries);
  EXPECT_EQ(again.two_electron.gather(), dump.two_electron.gather());
  ranks::barrier();
  if (ranks::rank() == 0) std::ofstream(file, std::ios::app) << "1.5 2 3 3 2\n";  // long after the first batch
  ranks::barrier();
  try {
    read_fcidump(file, ricci::World());
    ADD_FAILURE() << "the contradiction is not seen";
  } catch (const ricci::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(": (3 2|3 2) is 1.5 here, but was "));
  }
  ranks::barrier();
  if (ranks::rank() == 0) std::remove(file.c_str());
}

}  // namespace
}  // namespace cc
