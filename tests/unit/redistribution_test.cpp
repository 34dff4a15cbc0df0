// Distributions and what moves between them, for all ranks in one process: pure code needs no MPI.
#include "layout/redistribution.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "kernels/piece_copy.hpp"
#include "layout/local_elements.hpp"
#include "layout/tensor_tiles.hpp"
#include "random_distribution.hpp"
#include "simulated_moves.hpp"

namespace ricci::layout {
namespace {

/// Moves everything from one distribution to the other, message by message, and compares. Elements are taken to be of
/// `element_size` bytes where it is decided how they travel: larger ones make whole tiles move, and more rounds.
void expect_moves_right(const Distribution& from, const Distribution& to, int threads, std::size_t element_size) {
  const auto source = keys_as_data(from), expected = keys_as_data(to);
  const int ranks = from.ranks();
  std::vector<Redistribution> moves;
  moves.reserve(ranks);
  for (int rank = 0; rank < ranks; ++rank) moves.emplace_back(from, to, rank, element_size);
  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(moves[rank].sent()[rank], 0);
    const std::vector<double> result = moved(moves, rank, source, expected[rank].size(), threads);
    ASSERT_EQ(result, expected[rank]) << "rank " << rank << ' ' << from.layout() << " to " << to.layout();
    // Nothing travels that the rank had already.
    std::vector<double> had = source[rank], wanted = expected[rank], missing;
    std::sort(had.begin(), had.end());
    std::sort(wanted.begin(), wanted.end());
    std::set_difference(wanted.begin(), wanted.end(), had.begin(), had.end(), std::back_inserter(missing));
    EXPECT_EQ(moves[rank].total_received(), static_cast<std::int64_t>(missing.size()));
  }
}

TEST(Redistribution, MovesEveryElementBetweenRandomLayouts) {
  const std::vector<int> sizes{1, 2, 3, 4, 6, 8, 12};
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const ShapePointer shape = random.shape();
    const int ranks = sizes[random.below(static_cast<int>(sizes.size()))];
    const Distribution from(shape, random.layout(*shape, ranks)), to(shape, random.layout(*shape, ranks));
    const std::size_t element_sizes[] = {8, 2000, 10'000, 1 << 20};  // parts of 4096, 16 and 3 elements, and of one
    expect_moves_right(from, to, 1 + random.below(3), element_sizes[random.below(4)]);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Plans take all messages between two ranks to be as long as each other.
TEST(Redistribution, TheRoundsOfAMessageAreEvenlyFull) {
  const auto shape = std::make_shared<const symmetry::Shape>(Extents{60, 60, 61}, symmetric(0, 1));
  const Distribution from(shape, Layout::parse("i:* j:* k:g0", Grid{3})),
      to(shape, Layout::parse("i:g0/4 j:*/4 k:*", Grid{3}));
  const std::int64_t longest = Redistribution::longest_message(3) / 80;
  for (int rank = 0; rank < 3; ++rank) {
    const Redistribution moves(from, to, rank, 80);
    for (const auto& [parcels, totals] :
         {std::pair(&moves.sends(), &moves.sent()), {&moves.receives(), &moves.received()}}) {
      std::size_t rounds = 0;
      for (int peer = 0; peer < 3; ++peer) {
        const std::int64_t total = (*totals)[peer], count = (total + longest - 1) / longest;
        rounds = std::max(rounds, static_cast<std::size_t>(count));
        for (std::int64_t round = 0; round < count; ++round) {
          for (const Round::Message& message : parcels->rounds[static_cast<std::size_t>(round)].messages) {
            if (message.peer != peer) continue;
            EXPECT_NEAR(message.size, total / count, longest / 50 + 1);
          }
        }
      }
      EXPECT_GT(rounds, 1u);
      EXPECT_EQ(parcels->rounds.size(), rounds);
    }
  }
}

/// The tiles of a distribution that a rank wants, one after the other, each element its key.
std::vector<double> wanted_keys(const Distribution& to, const std::vector<std::int64_t>& numbers) {
  const TensorTiles tiles(to);
  std::vector<double> keys;
  for (std::int64_t number : numbers) {
    const TileTuples tile = tiles.tile(number);
    const int owner = tiles.owner(tile);
    const LocalTiles own = to.local(owner);
    LocalElements elements(to, own);
    for (std::int64_t i = 0; i < tiles.begin(own, tile); ++i) elements.next();
    for (std::int64_t i = 0; i < tiles.size(tile); ++i, elements.next()) {
      keys.push_back(static_cast<double>(key_of(to.shape(), elements.index())));
    }
  }
  return keys;
}

TEST(Fetch, BringsTheTilesThatEachRankWants) {
  const std::vector<int> sizes{1, 2, 3, 4, 6, 8};
  for (unsigned seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const ShapePointer shape = random.shape();
    const int ranks = sizes[random.below(static_cast<int>(sizes.size()))];
    const Distribution from(shape, random.layout(*shape, ranks)), to(shape, random.layout(*shape, ranks));
    const TensorTiles to_tiles(to);
    std::vector<std::vector<std::int64_t>> wanted(ranks);
    const std::int64_t count = tile_count(to);
    const int one_in = 1 + random.below(4);
    for (auto& numbers : wanted) {
      for (std::int64_t number = 0; number < count && number < 400; ++number) {
        if (random.below(one_in) == 0 && to_tiles.size(to_tiles.tile(number)) > 0) numbers.push_back(number);
      }
    }
    const auto of_rank = [&](int rank) -> const std::vector<std::int64_t>& { return wanted[rank]; };
    const std::size_t element_sizes[] = {8, 2000, 1 << 20};
    const std::size_t element_size = element_sizes[random.below(3)];
    std::vector<Redistribution> moves;
    moves.reserve(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      moves.push_back(Redistribution::fetch(from, to, of_rank, rank, element_size));
    }
    const auto source = keys_as_data(from);
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<double> expected = wanted_keys(to, wanted[rank]);
      EXPECT_FALSE(moves[rank].by_tiles());
      ASSERT_EQ(moved(moves, rank, source, expected.size()), expected) << "rank " << rank << ' ' << from.layout();
      // What the rank has already does not travel.
      std::vector<double> had = source[rank], sorted = expected, missing;
      std::sort(had.begin(), had.end());
      std::sort(sorted.begin(), sorted.end());
      std::set_difference(sorted.begin(), sorted.end(), had.begin(), had.end(), std::back_inserter(missing));
      ASSERT_EQ(moves[rank].total_received(), static_cast<std::int64_t>(missing.size()));
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Redistribution, LargePiecesAreSharedByThreads) {
  const auto shape = std::make_shared<Shape>(Extents{40, 40, 12, 12}, antisymmetric(0, 1) * symmetric(2, 3));
  const Distribution from(shape, Layout::parse("a:g0 b:* i:* j:*", Grid{4}));
  const Distribution to(shape, Layout::parse("a:* b:* i:g0 j:g1", Grid{2, 2}));
  expect_moves_right(from, to, 3, sizeof(double));
}

TEST(Redistribution, TakesItsPartOutOfAnUnpackedArray) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const ShapePointer shape = random.shape();
    const int ranks = 1 + random.below(8);
    const Distribution to(shape, random.layout(*shape, ranks));
    std::vector<double> all(shape->full_size());
    std::iota(all.begin(), all.end(), 0.0);  // each element its own key
    const auto expected = keys_as_data(to);
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<double> result(expected[rank].size(), -1);
      const DensePieces own(to, rank);
      kernels::PieceCopy{sizeof(double), 1 + random.below(3)}.copy(own.pieces, bytes(all), bytes(result));
      ASSERT_EQ(result, expected[rank]) << "seed " << seed << " rank " << rank << ' ' << to.layout();
    }
  }
}

TEST(Distribution, EveryElementHasItsOwner) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const ShapePointer shape = random.shape();
    const int ranks = 1 + random.below(12);
    const Distribution distribution(shape, random.layout(*shape, ranks));
    std::int64_t sum = 0, most = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const LocalTiles tiles = distribution.local(rank);
      sum += tiles.size();
      most = std::max(most, tiles.size());
      LocalElements elements(distribution, tiles);
      for (std::int64_t i = 0; i < elements.size(); ++i, elements.next()) {
        const int owner = distribution.owner(elements.index());
        ASSERT_EQ(distribution.with_copy(owner, distribution.copy_of(rank)), rank);
      }
    }
    EXPECT_EQ(sum, shape->stored_size() * distribution.copies()) << seed;
    EXPECT_EQ(distribution.largest_size(), most) << seed;
  }
}

/// Runs are made up of the elements that next() goes through.
TEST(LocalElements, RunsGrowInOneMode) {
  int longer = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const ShapePointer shape = random.shape();
    const int ranks = 1 + random.below(6);
    const Distribution distribution(shape, random.layout(*shape, ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      const LocalTiles tiles = distribution.local(rank);
      LocalElements one(distribution, tiles), runs(distribution, tiles);
      for (std::int64_t done = 0; done < one.size(); runs.skip_run()) {
        const std::int64_t run = runs.run();
        longer += run > 1 ? 1 : 0;
        ASSERT_GE(run, 1);
        ASSERT_LE(done + run, one.size()) << seed;
        std::vector<std::int64_t> index(runs.index().begin(), runs.index().end());
        for (std::int64_t i = 0; i < run; ++i, ++done, one.next()) {
          ASSERT_EQ(index, std::vector<std::int64_t>(one.index().begin(), one.index().end())) << seed;
          if (run > 1) ++index[static_cast<std::size_t>(runs.run_mode())];
        }
      }
    }
  }
  EXPECT_GT(longer, 100);
}

double fullest(const ShapePointer& shape, const Layout& layout) {
  const Distribution distribution(shape, layout);
  std::int64_t most = 0;
  for (int rank = 0; rank < distribution.ranks(); ++rank) most = std::max(most, distribution.local(rank).size());
  return static_cast<double>(most) * distribution.ranks() / static_cast<double>(shape->stored_size());
}

TEST(Distribution, PairsAreBalanced) {
  for (const Symmetry& pair : {symmetric(0, 1), antisymmetric(0, 1), hollow(0, 1)}) {
    const auto shape = std::make_shared<Shape>(Extents{4096, 4096}, pair);
    for (const Grid& grid : {Grid{2, 2}, Grid{3, 2}, Grid{4, 4}}) {
      EXPECT_LE(fullest(shape, Layout::parse("a:g0 b:g1", grid)), 1.05) << grid;
      EXPECT_LE(fullest(shape, Layout::parse("a:g0+g1 b:*", grid)), 1.05) << grid;
      EXPECT_LE(fullest(shape, Layout::parse("a:* b:g1+g0", grid)), 1.05) << grid;
    }
  }
}

TEST(Distribution, LongerGroupsAreBalanced) {
  const auto triple = std::make_shared<Shape>(Extents{240, 240, 240}, antisymmetric(0, 1, 2));
  for (const Grid& grid : {Grid{2, 2, 2}, Grid{3, 2, 1}, Grid{2, 2, 1}, Grid{4, 1, 1}}) {
    EXPECT_LE(fullest(triple, Layout::parse("a:g0 b:g1 c:g2", grid)), 1.15) << grid;
  }
  const auto four = std::make_shared<Shape>(Extents{96, 96, 96, 96}, symmetric(0, 1, 2, 3));
  for (const Grid& grid : {Grid{2, 2, 2, 2}, Grid{2, 2, 1, 1}, Grid{4, 1, 1, 1}, Grid{3, 2, 1, 1}}) {
    EXPECT_LE(fullest(four, Layout::parse("a:g0 b:g1 c:g2 d:g3", grid)), 1.15) << grid;
  }
}

TEST(Distribution, AnswersForAMillionRanks) {
  const auto shape = std::make_shared<Shape>(Extents{4000, 4000, 2000, 2000}, antisymmetric(0, 1));
  const Distribution distribution(shape, Layout::parse("a:g0 b:g1 c:g2 d:g3", Grid{32, 32, 32, 32}));
  EXPECT_EQ(distribution.ranks(), 1 << 20);
  const double average = static_cast<double>(shape->stored_size()) / distribution.ranks();
  EXPECT_NEAR(static_cast<double>(distribution.largest_size()) / average, 1, 0.1);
  for (int rank : {0, 1, 32, 1024, 33 * 1024, 777'777, (1 << 20) - 1}) {
    const LocalTiles tiles = distribution.local(rank);
    EXPECT_NEAR(static_cast<double>(tiles.size()) / average, 1, 0.1) << rank;
    const LocalElements elements(distribution, tiles);
    EXPECT_EQ(distribution.owner(elements.index()), rank);
    EXPECT_EQ(distribution.rank(distribution.coordinates(rank)), rank);
  }
}

TEST(Distribution, DefaultSpreadsTheLongestModes) {
  const Shape shape({100, 20, 30}, {});
  EXPECT_EQ(default_layout(shape, 6), Layout::parse("a:g0 b:* c:*", Grid{6}));
  EXPECT_EQ(default_layout(shape, 16), Layout::parse("a:g0 b:* c:g1", Grid{8, 2}));
  EXPECT_EQ(default_layout(Shape({}, {}), 4), Layout::replicated(0, 4));
}

}  // namespace
}  // namespace ricci::layout
