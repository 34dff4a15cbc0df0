// The foldings of statements from docs/semantics.md and of the contractions that the planner is made for.
#include "symmetry/fold.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "fold_statement.hpp"

namespace ricci::symmetry {
namespace {

const Symmetry both_anti = antisymmetric(0, 1) * antisymmetric(2, 3);
const Symmetry both_sym = symmetric(0, 1) * symmetric(2, 3);
const Symmetry none;

// Expects a loop of exactly these letters.
const Unit& unit(const FoldStatement& statement, const Fold& fold, const std::string& letters) {
  static const Unit missing;
  const Unit* found = FoldStatement::unit(statement, fold, letters);
  EXPECT_NE(found, nullptr) << "no loop is " << letters;
  return found ? *found : missing;
}

TEST(Fold, UnbrokenPairsRunSortedAndDoAnEighth) {
  const FoldStatement s({"abij", both_anti}, {"abef", both_anti}, {"efij", both_anti},
                        {{'a', 6}, {'b', 6}, {'i', 4}, {'j', 4}, {'e', 6}, {'f', 6}});
  const Fold fold = s.fold();
  ASSERT_EQ(fold.units.size(), 3U);
  for (const auto& [letters, role, size] :
       {std::tuple{"ab", Role::row, 15}, std::tuple{"ij", Role::column, 6}, std::tuple{"ef", Role::summed, 15}}) {
    const Unit& pair = unit(s, fold, letters);
    EXPECT_EQ(pair.role, role) << letters;
    EXPECT_TRUE(pair.strict) << letters;
    EXPECT_FALSE(pair.shares_repeats) << letters;
    EXPECT_EQ(pair.size, size) << letters;
  }
  EXPECT_EQ(fold.products(), 15 * 6 * 15);
  EXPECT_LT(fold.products(), 6. * 6 * 4 * 4 * 6 * 6 / 8) << "the diagonals are left out as well";
  EXPECT_EQ(fold.scale, 2) << "each of e<f stands for two";
  EXPECT_EQ(fold.a_readings.size(), 1U);
  EXPECT_EQ(fold.b_readings.size(), 1U);
  EXPECT_TRUE(fold.covers);
  EXPECT_FALSE(fold.vanishes);
}

// C[i>j,a>b] = A[i>k,j>l] B[a>b,k>l]: A is read with i and j, and with k and l, exchanged.
TEST(Fold, PairsAcrossGroupsOfAnOperandAreReadFourTimes) {
  for (const bool minus : {false, true}) {
    const Symmetry pairs = minus ? both_anti : both_sym;
    const FoldStatement s({"ijab", pairs}, {"ikjl", pairs}, {"abkl", pairs},
                          {{'i', 8}, {'j', 8}, {'a', 8}, {'b', 8}, {'k', 8}, {'l', 8}});
    const Fold fold = s.fold();
    const double pair = minus ? 28 : 36;
    EXPECT_EQ(fold.products(), pair * pair * pair);
    EXPECT_EQ(fold.a_readings.size(), 4U);
    EXPECT_EQ(fold.b_readings.size(), 1U);
    EXPECT_EQ(fold.scale, 1) << "both orders of k and l are in the readings";
    EXPECT_TRUE(fold.covers);
    EXPECT_EQ(unit(s, fold, "kl").shares_repeats, !minus) << "k = l is read twice";
    int sum = 0;
    for (const Reading& reading : fold.a_readings) sum += reading.sign;
    EXPECT_EQ(sum, minus ? 0 : 4) << "two of four readings are odd where the pairs are antisymmetric";
    EXPECT_EQ(fold.a_readings[0].sign, 1);
    EXPECT_EQ(fold.a_readings[0].substitute[s.label('i')], s.label('i')) << "the reading as written comes first";
  }
}

TEST(Fold, APairFromTwoOperandsDoesNotCover) {
  const FoldStatement s({"abij", both_anti}, {"ae", none}, {"ebij", both_anti},
                        {{'a', 5}, {'b', 5}, {'i', 3}, {'j', 3}, {'e', 5}});
  const Fold fold = s.fold();
  EXPECT_FALSE(fold.covers) << "an element of a<b is the sum of two products";
  EXPECT_FALSE(fold.vanishes);
  EXPECT_TRUE(unit(s, fold, "ij").strict);
  EXPECT_EQ(unit(s, fold, "a").role, Role::row);
  EXPECT_EQ(unit(s, fold, "b").role, Role::column);
  EXPECT_EQ(fold.products(), 5 * 5 * 3 * 5);
  EXPECT_EQ(fold.scale, 1);
}

TEST(Fold, AnOuterProductWithFourCosetsDoesNotCover) {
  const FoldStatement s({"abij", both_anti}, {"ai", none}, {"bj", none}, {{'a', 5}, {'b', 5}, {'i', 3}, {'j', 3}});
  const Fold fold = s.fold();
  EXPECT_FALSE(fold.covers);
  EXPECT_EQ(fold.units.size(), 4U);
}

TEST(Fold, SymmetricTimesAntisymmetricVanishes) {
  const auto contract = [](const Symmetry& left, const Symmetry& right) {
    return FoldStatement({"ij", none}, {"iab", left}, {"jab", right}, {{'i', 3}, {'j', 3}, {'a', 4}, {'b', 4}}).fold();
  };
  EXPECT_TRUE(contract(symmetric(1, 2), antisymmetric(1, 2)).vanishes);
  EXPECT_TRUE(contract(antisymmetric(1, 2), symmetric(1, 2)).vanishes);
  EXPECT_TRUE(contract(hollow(1, 2), antisymmetric(1, 2)).vanishes);
  EXPECT_FALSE(contract(antisymmetric(1, 2), antisymmetric(1, 2)).vanishes);
  EXPECT_FALSE(contract(hollow(1, 2), symmetric(1, 2)).vanishes);
  EXPECT_FALSE(contract(antisymmetric(1, 2), none).vanishes);
}

TEST(Fold, ATermSymmetricInAntisymmetricLabelsOfTheOutputVanishes) {
  const std::vector<std::pair<char, std::int64_t>> extents = {{'i', 4}, {'j', 4}};
  EXPECT_TRUE(FoldStatement({"ij", antisymmetric(0, 1)}, {"ij", symmetric(0, 1)}, extents).fold().vanishes);
  EXPECT_TRUE(FoldStatement({"ij", symmetric(0, 1)}, {"ij", antisymmetric(0, 1)}, extents).fold().vanishes);
  EXPECT_TRUE(FoldStatement({"ij", antisymmetric(0, 1)}, {"", none}, extents).fold().vanishes) << "constant in i and j";
  EXPECT_FALSE(FoldStatement({"ij", symmetric(0, 1)}, {"", none}, extents).fold().vanishes);
  EXPECT_FALSE(FoldStatement({"ij", symmetric(0, 1)}, {"ij", hollow(0, 1)}, extents).fold().vanishes);
}

TEST(Fold, AnOperandWithoutTheOutputsSymmetryIsReadOncePerCoset) {
  const std::vector<std::pair<char, std::int64_t>> extents = {{'i', 4}, {'j', 4}, {'k', 4}};
  const Fold pair = FoldStatement({"ij", symmetric(0, 1)}, {"ij", none}, extents).fold();
  EXPECT_EQ(pair.a_readings.size(), 2U);
  EXPECT_TRUE(pair.covers);
  EXPECT_EQ(pair.products(), 10);
  const Fold triple = FoldStatement({"ijk", antisymmetric(0, 1, 2)}, {"ijk", antisymmetric(1, 2)}, extents).fold();
  EXPECT_EQ(triple.a_readings.size(), 3U);
  EXPECT_EQ(triple.products(), 4);
}

TEST(Fold, SymmetricContractedPairsCarryWeights) {
  const auto contract = [](const Symmetry& left, const Symmetry& right) {
    const FoldStatement s({"ij", none}, {"iab", left}, {"jab", right}, {{'i', 3}, {'j', 3}, {'a', 4}, {'b', 4}});
    const Fold fold = s.fold();
    return std::pair(fold, unit(s, fold, "ab"));
  };
  const auto [both, both_pair] = contract(symmetric(1, 2), symmetric(1, 2));
  EXPECT_TRUE(both_pair.shares_repeats);
  EXPECT_EQ(both.scale, 2) << "a<b stands for two; a=b has the weight 1/2 and so counts once";
  EXPECT_EQ(both_pair.size, 10);
  EXPECT_EQ(both.b_readings.size(), 1U);

  const auto [one, one_pair] = contract(symmetric(1, 2), none);
  EXPECT_TRUE(one_pair.shares_repeats);
  EXPECT_EQ(one.scale, 1);
  EXPECT_EQ(one.b_readings.size(), 2U);

  for (const auto& [left, right] :
       {std::pair{hollow(1, 2), symmetric(1, 2)}, std::pair{symmetric(1, 2), hollow(1, 2)}}) {
    const auto [strict, strict_pair] = contract(left, right);
    EXPECT_TRUE(strict_pair.strict) << "a=b is zero in the hollow operand";
    EXPECT_FALSE(strict_pair.shares_repeats);
    EXPECT_EQ(strict.scale, 2);
  }
}

TEST(Fold, ThreeContractedLabelsOfOneGroup) {
  const FoldStatement s({"ij", none}, {"iabc", antisymmetric(1, 2, 3)}, {"jabc", antisymmetric(1, 2)},
                        {{'i', 2}, {'j', 2}, {'a', 5}, {'b', 5}, {'c', 5}});
  const Fold fold = s.fold();
  EXPECT_EQ(unit(s, fold, "abc").size, 10);
  EXPECT_EQ(fold.b_readings.size(), 3U);
  EXPECT_EQ(fold.scale, 2) << "the order of B's own symmetry";
}

TEST(Fold, ElementwiseProductsFoldWhereTheSignsFit) {
  const std::vector<std::pair<char, std::int64_t>> extents = {{'a', 4}, {'b', 4}, {'i', 3}, {'j', 3}};
  const FoldStatement s({"abij", both_anti}, {"abij", both_sym}, {"abij", both_anti}, extents);
  const Fold fold = s.fold();
  EXPECT_TRUE(fold.covers);
  EXPECT_FALSE(fold.vanishes);
  EXPECT_EQ(unit(s, fold, "ab").role, Role::batch);
  EXPECT_EQ(fold.products(), 6 * 3);
  EXPECT_TRUE(FoldStatement({"abij", both_sym}, {"abij", both_sym}, {"abij", both_anti}, extents).fold().vanishes);
  EXPECT_FALSE(FoldStatement({"abij", both_sym}, {"abij", both_anti}, {"abij", both_anti}, extents).fold().vanishes);
}

TEST(Fold, ARepeatedOutputLabelDoesNotCover) {
  EXPECT_FALSE(FoldStatement({"ii", none}, {"i", none}, {{'i', 3}}).fold().covers);
  EXPECT_FALSE(FoldStatement({"ii", symmetric(0, 1)}, {"i", none}, {{'i', 3}}).fold().covers);
}

TEST(InheritedSymmetry, FollowsFromDeclaredSymmetriesAlone) {
  const auto inherited = [](const Lettered& a, const Lettered& b, const std::string& kept) {
    const FoldStatement s({kept, none}, a, b, {{'a', 4}, {'b', 4}, {'i', 4}, {'j', 4}, {'e', 4}, {'f', 4}});
    std::ostringstream out;
    out << inherited_symmetry({s.labelled(1), s.labelled(2)}, s.labelled(0).labels);
    return out.str();
  };
  EXPECT_EQ(inherited({"abef", both_anti}, {"efij", both_anti}, "abij"), "[0 1]- [2 3]-");
  EXPECT_EQ(inherited({"ae", none}, {"ebij", both_anti}, "abij"), "[2 3]-") << "a and b are in different factors";
  EXPECT_EQ(inherited({"ab", antisymmetric(0, 1)}, {"ab", antisymmetric(0, 1)}, "ab"), "[0 1]o") << "minus times minus";
  EXPECT_EQ(inherited({"ab", symmetric(0, 1)}, {"ab", antisymmetric(0, 1)}, "ab"), "[0 1]-");
  EXPECT_EQ(inherited({"ab", symmetric(0, 1)}, {"ab", symmetric(0, 1)}, "ba"), "[0 1]+");
  EXPECT_EQ(inherited({"ab", symmetric(0, 1)}, {"ai", none}, "abi"), "") << "a stands in the second factor, b does not";
  EXPECT_EQ(inherited({"ai", none}, {"bj", none}, "abij"), "");
}

}  // namespace
}  // namespace ricci::symmetry
