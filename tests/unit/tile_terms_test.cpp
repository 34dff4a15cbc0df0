// Which tiles a block reads and writes: every permutation of a unit's labels exactly once.
#include "plan/tile_terms.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "fold_statement.hpp"

namespace ricci::planning {
namespace {

using symmetry::Fold;
using symmetry::FoldStatement;
using symmetry::Lettered;
using Tiles = std::vector<std::int64_t>;

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// C += A · B with every letter of extent 12 in 4 tiles.
class Terms {
 public:
  Terms(const Lettered& c, const Lettered& a, const Lettered& b, const std::string& letters)
      : statement_(c, a, b, extents(letters)), terms_(statement_.fold(), tiled(0), tiled(1), tiled(2)) {}

  const TileTerms* operator->() const { return &terms_; }

 private:
  static std::vector<std::pair<char, std::int64_t>> extents(const std::string& letters) {
    std::vector<std::pair<char, std::int64_t>> result;
    for (const char letter : letters) result.emplace_back(letter, 12);
    return result;
  }
  TiledTensor tiled(std::size_t number) const {
    const symmetry::Labelled tensor = statement_.labelled(number);
    const std::vector<int> tiles(tensor.labels.size(), 4);
    const auto distribution = std::make_shared<const layout::Distribution>(
        std::make_shared<const symmetry::Shape>(*tensor.shape),
        Layout(Grid{1}, std::vector<std::vector<int>>(tiles.size()), tiles));
    return {tensor, distribution, distribution};
  }

  FoldStatement statement_;
  TileTerms terms_;
};

std::vector<double> factors(const std::vector<TileUse>& uses) {
  std::vector<double> result;
  for (const TileUse& use : uses) result.push_back(use.factor);
  return result;
}

using Factors = std::vector<double>;

TEST(TileTerms, APairOfTheOutputReadsBothOrders) {
  const Terms terms({"abk", antisymmetric(0, 1)}, {"abc", {}}, {"ck", {}}, "abck");
  const auto apart = terms->read_a({0, 1, 2, 3});
  EXPECT_EQ(factors(apart), (Factors{1, -1}));
  EXPECT_EQ(apart[0].tile, (layout::TileTuples{{0}, {1}, {2}}));
  EXPECT_EQ(apart[1].tile, (layout::TileTuples{{1}, {0}, {2}}));
  EXPECT_EQ(apart[0].labels, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(apart[1].labels, (std::vector<int>{1, 0, 2}));
  EXPECT_EQ(factors(terms->read_a({1, 1, 2, 3})), Factors{1});  // the local statement does the rest
  EXPECT_EQ(factors(terms->read_b({0, 1, 2, 3})), Factors{1});
}

TEST(TileTerms, APairThatTheOperandHasIsReadOnce) {
  const Terms terms({"abk", antisymmetric(0, 1)}, {"abc", antisymmetric(0, 1)}, {"ck", {}}, "abck");
  EXPECT_EQ(factors(terms->read_a({0, 1, 2, 3})), Factors{1});
  EXPECT_EQ(factors(terms->read_a({1, 1, 2, 3})), Factors{1});
}

TEST(TileTerms, ContractedPairsCountTwiceOffTheDiagonal) {
  const Terms both({"ij", {}}, {"abi", antisymmetric(0, 1)}, {"abj", antisymmetric(0, 1)}, "abij");
  EXPECT_EQ(factors(both->read_a({0, 1, 2, 3})), Factors{1});
  EXPECT_EQ(factors(both->read_b({0, 1, 2, 3})), Factors{2});
  EXPECT_EQ(factors(both->read_b({1, 1, 2, 3})), Factors{1});
  const Terms one({"ij", {}}, {"abi", antisymmetric(0, 1)}, {"abj", {}}, "abij");
  EXPECT_EQ(factors(one->read_b({0, 1, 2, 3})), (Factors{1, -1}));
  EXPECT_EQ(factors(one->read_b({1, 1, 2, 3})), Factors{1});
}

TEST(TileTerms, BrokenGroupsAreReadInTheirStoredOrder) {
  const Terms terms({"aj", {}}, {"ab", antisymmetric(0, 1)}, {"bj", {}}, "abj");
  const auto below = terms->read_a({2, 1, 0});  // a in tile 2, b in tile 1
  ASSERT_EQ(below.size(), 1U);
  EXPECT_EQ(below[0].tile, (layout::TileTuples{{1, 2}}));
  EXPECT_EQ(below[0].factor, -1);
  EXPECT_EQ(terms->read_a({1, 2, 0})[0].factor, 1);
}

TEST(TileTerms, OutputsThatBothOperandsShareAreWrittenAtTheirSortedTile) {
  const Terms terms({"ab", antisymmetric(0, 1)}, {"ak", {}}, {"kb", {}}, "abk");
  EXPECT_EQ(terms->write_c({0, 1, 0}).factor, 1);
  EXPECT_EQ(terms->write_c({1, 0, 0}).factor, -1);
  EXPECT_EQ(terms->write_c({1, 0, 0}).tile, (layout::TileTuples{{0, 1}}));
}

/// Sorted tuples of tiles of four labels.
void for_each_sorted(const std::function<void(const Tiles&)>& f) {
  for (std::int64_t a = 0; a < 4; ++a) {
    for (std::int64_t b = a; b < 4; ++b) {
      for (std::int64_t c = b; c < 4; ++c) {
        for (std::int64_t d = c; d < 4; ++d) f({a, b, c, d, 0, 0});
      }
    }
  }
}

/// How often each tile stands among the first four.
std::map<std::int64_t, int> multiplicities(const Tiles& tiles) {
  std::map<std::int64_t, int> result;
  for (int i = 0; i < 4; ++i) ++result[tiles[i]];
  return result;
}

const std::vector<Symmetry> own_symmetries{
    {}, symmetric(0, 1), symmetric(0, 1) * symmetric(2, 3), symmetric(1, 2, 3), symmetric(0, 1, 2, 3)};
const std::vector<double> own_orders{1, 2, 4, 6, 24};

// Σ over readings of |S_m| / |S_m ∩ H^g|, what each local statement adds, is the number of cosets of H.
TEST(TileTerms, EveryCosetOfAnOutputGroupComesOnce) {
  for (std::size_t h = 0; h < own_symmetries.size(); ++h) {
    const Terms terms({"abcdy", symmetric(0, 1, 2, 3)}, {"abcdx", own_symmetries[h]}, {"xy", {}}, "abcdxy");
    for_each_sorted([&](const Tiles& tiles) {
      double cosets = 0;
      for (const TileUse& use : terms->read_a(tiles)) {
        double of_reading = 1;
        for (const auto& [tile, count] : multiplicities(tiles)) of_reading *= factorial(count);
        for (const layout::TileTuple& tuple : use.tile) {
          for (std::size_t i = 0; i < tuple.size();) {
            const std::size_t end = std::upper_bound(tuple.begin(), tuple.end(), tuple[i]) - tuple.begin();
            of_reading /= factorial(static_cast<int>(end - i));
            i = end;
          }
        }
        cosets += of_reading;
      }
      EXPECT_EQ(cosets, 24 / own_orders[h]) << h;
    });
  }
}

// Σ over readings of their factors is the number of arrangements of the tiles.
TEST(TileTerms, EveryArrangementOfASummedGroupIsCounted) {
  for (const Symmetry& own : own_symmetries) {
    const Terms terms({"xy", {}}, {"abcdx", symmetric(0, 1, 2, 3)}, {"abcdy", own}, "abcdxy");
    for_each_sorted([&](const Tiles& tiles) {
      double arrangements = 24;
      for (const auto& [tile, count] : multiplicities(tiles)) arrangements /= factorial(count);
      const Factors found = factors(terms->read_b(tiles));
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0.0), arrangements);
    });
  }
}

TEST(TileTerms, WholeDiagonalsAreSymmetrisedWithinTiles) {
  const Terms row({"abk", antisymmetric(0, 1)}, {"abc", {}}, {"ck", {}}, "abck");
  EXPECT_TRUE(row->within_tiles(false, {0, 1, 2, 3}).empty());
  const auto on_diagonal = row->within_tiles(false, {1, 1, 2, 3});
  ASSERT_EQ(on_diagonal.size(), 1U);
  EXPECT_EQ(on_diagonal[0].weight, 1);
  EXPECT_EQ(on_diagonal[0].kind, SymmetryKind::antisymmetric);
  const Terms summed({"ij", {}}, {"abi", symmetric(0, 1)}, {"abj", {}}, "abij");
  const auto counted = summed->within_tiles(true, {1, 1, 2, 3});
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_EQ(counted[0].weight, 2);
}

}  // namespace
}  // namespace ricci::planning
