// Tiles as small tensors: their numbers, sizes and shapes, against the elements that ranks store.
#include "layout/tensor_tiles.hpp"

#include <gtest/gtest.h>

#include "layout/local_elements.hpp"
#include "random_distribution.hpp"

namespace ricci::layout {
namespace {

template <class F>
void for_random_distributions(unsigned seeds, F f) {
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const ShapePointer shape = random.shape();
    f(Distribution(shape, random.layout(*shape, 1 + random.below(8))));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TensorTiles, NumbersAreThoseOfTheTiles) {
  for_random_distributions(300, [](const Distribution& distribution) {
    const TensorTiles tiles(distribution);
    std::int64_t elements = 0;
    for (std::int64_t number = 0; number < tile_count(distribution); ++number) {
      const TileTuples tile = tiles.tile(number);
      ASSERT_EQ(tile.size(), distribution.units().size());
      for (const TileTuple& tuple : tile) EXPECT_TRUE(std::is_sorted(tuple.begin(), tuple.end()));
      ASSERT_EQ(tiles.number(tile), number);
      elements += tiles.size(tile);
    }
    EXPECT_EQ(elements, distribution.shape().stored_size());
  });
}

TEST(TensorTiles, ATileIsTheTensorThatItsRankStores) {
  for_random_distributions(300, [](const Distribution& distribution) {
    const TensorTiles tiles(distribution);
    for (int rank = 0; rank < distribution.ranks(); ++rank) {
      const LocalTiles own = distribution.local(rank);
      LocalElements elements(distribution, own);
      for (std::int64_t place = 0; place < elements.size(); ++place, elements.next()) {
        TileTuples tile;
        for (const Unit& unit : distribution.units()) {
          TileTuple& tuple = tile.emplace_back();
          for (int mode : unit.modes()) tuple.push_back(unit.tiling().tile_of(elements.index()[mode]));
        }
        const std::int64_t begin = tiles.begin(own, tile);
        ASSERT_GE(begin, 0);
        const TileShape small = tiles.shape(tile);
        ASSERT_EQ(small.shape.stored_size(), tiles.size(tile));
        ASSERT_EQ(small.modes.size(), distribution.shape().extents().size());
        // The element's index within the tile, in the order of the tile's modes.
        std::vector<std::int64_t> index;
        for (int mode : small.modes) {
          const Unit& unit = distribution.units()[distribution.shape().dim_of_mode(mode)];
          const std::int64_t at = elements.index()[mode];
          index.push_back(at - unit.tiling().begin(unit.tiling().tile_of(at)));
        }
        const symmetry::Element element = symmetry::locate(small.shape, index);
        ASSERT_EQ(element.factor, 1);
        ASSERT_EQ(begin + element.offset, place);
      }
    }
  });
}

TEST(TensorTiles, OwnersHaveWhatOthersTake) {
  for_random_distributions(300, [](const Distribution& distribution) {
    const TensorTiles tiles(distribution);
    for (std::int64_t number = 0; number < tile_count(distribution); ++number) {
      const TileTuples tile = tiles.tile(number);
      if (tiles.size(tile) == 0) continue;  // nobody has it
      const int owner = tiles.owner(tile);
      EXPECT_EQ(distribution.copy_of(owner), 0);
      for (int rank = 0; rank < distribution.ranks(); ++rank) {
        const bool has_it = tiles.begin(distribution.local(rank), tile) >= 0;
        ASSERT_EQ(has_it, distribution.with_copy(rank, 0) == owner);
        const int source = tiles.source(tile, rank);
        ASSERT_EQ(distribution.with_copy(source, 0), owner);
        EXPECT_TRUE(!has_it || source == rank);
      }
    }
  });
}

}  // namespace
}  // namespace ricci::layout
