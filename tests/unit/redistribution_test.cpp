// Distributions and what moves between them, for all ranks in one process: pure code needs no MPI.
#include "layout/redistribution.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "kernels/piece_copy.hpp"
#include "layout/local_elements.hpp"

namespace ricci::layout {
namespace {

using Shape = symmetry::Shape;
using ShapePointer = std::shared_ptr<const Shape>;

std::int64_t key_of(const Shape& shape, std::span<const std::int64_t> index) {
  std::int64_t key = 0;
  for (int mode = 0; mode < shape.order(); ++mode) key += index[mode] * shape.full_strides()[mode];
  return key;
}

/// The elements of every rank, each holding its own key.
std::vector<std::vector<double>> keys_as_data(const Distribution& distribution) {
  std::vector<std::vector<double>> data;
  for (int rank = 0; rank < distribution.ranks(); ++rank) {
    const LocalTiles tiles = distribution.local(rank);
    LocalElements elements(distribution, tiles);
    auto& own = data.emplace_back();
    for (std::int64_t i = 0; i < elements.size(); ++i, elements.next()) {
      own.push_back(static_cast<double>(key_of(distribution.shape(), elements.index())));
    }
  }
  return data;
}

const std::byte* bytes(const std::vector<double>& data) { return reinterpret_cast<const std::byte*>(data.data()); }
std::byte* bytes(std::vector<double>& data) { return reinterpret_cast<std::byte*>(data.data()); }

/// What one rank sends another, round by round, as it is packed.
using Letters = std::vector<std::vector<double>>;

Letters pack_for(const Redistribution& moves, int peer, const std::vector<double>& tiles,
                 const kernels::PieceCopy& copy) {
  Letters letters;
  for (const Round& round : moves.sends().rounds) {
    std::vector<double> buffer(round.size, -1);
    copy.pack(std::span(moves.sends().pieces).subspan(round.first, round.last - round.first), bytes(tiles),
              bytes(buffer));
    for (const auto& message : round.messages) {
      if (message.peer != peer) continue;
      letters.emplace_back(buffer.begin() + message.begin, buffer.begin() + message.begin + message.size);
    }
  }
  return letters;
}

void move_pieces(const std::vector<Redistribution>& moves, int rank, const std::vector<std::vector<double>>& source,
                 const kernels::PieceCopy& copy, std::vector<double>& result) {
  copy.copy(moves[rank].stays(), bytes(source[rank]), bytes(result));
  std::vector<Letters> letters(moves.size());
  for (std::size_t peer = 0; peer < moves.size(); ++peer) {
    ASSERT_EQ(moves[rank].received()[peer], moves[peer].sent()[rank]);
    letters[peer] = pack_for(moves[peer], rank, source[peer], copy);
  }
  std::vector<std::size_t> next(moves.size(), 0);
  for (const Round& round : moves[rank].receives().rounds) {
    std::vector<double> buffer(round.size, -1);
    for (const auto& message : round.messages) {
      ASSERT_LT(next[message.peer], letters[message.peer].size());
      const std::vector<double>& letter = letters[message.peer][next[message.peer]++];
      ASSERT_EQ(static_cast<std::int64_t>(letter.size()), message.size);
      std::copy(letter.begin(), letter.end(), buffer.begin() + message.begin);
    }
    copy.unpack(std::span(moves[rank].receives().pieces).subspan(round.first, round.last - round.first), bytes(buffer),
                bytes(result));
  }
  for (std::size_t peer = 0; peer < moves.size(); ++peer) EXPECT_EQ(next[peer], letters[peer].size());
}

void move_tiles(const std::vector<Redistribution>& moves, int rank, const std::vector<std::vector<double>>& source,
                std::vector<double>& result) {
  for (const auto& tile : moves[rank].tile_stays()) {
    std::copy_n(source[rank].begin() + tile.from_begin, tile.size, result.begin() + tile.to_begin);
  }
  std::vector<std::size_t> next(moves.size(), 0);
  for (const auto& tile : moves[rank].tile_receives()) {
    // The peer's sends to this rank arrive in their order.
    const auto& sends = moves[tile.peer].tile_sends();
    std::size_t& at = next[tile.peer];
    while (sends[at].peer != rank) ++at;
    ASSERT_EQ(sends[at].size, tile.size);
    std::copy_n(source[tile.peer].begin() + sends[at].begin, tile.size, result.begin() + tile.begin);
    ++at;
  }
}

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
    std::vector<double> result(expected[rank].size(), -2);
    if (moves[rank].by_tiles()) {
      move_tiles(moves, rank, source, result);
    } else {
      move_pieces(moves, rank, source, kernels::PieceCopy{sizeof(double), threads}, result);
    }
    ASSERT_EQ(result, expected[rank]) << "rank " << rank << ' ' << from.layout() << " to " << to.layout();
    // Nothing travels that the rank had already.
    std::vector<double> had = source[rank], wanted = expected[rank], missing;
    std::sort(had.begin(), had.end());
    std::sort(wanted.begin(), wanted.end());
    std::set_difference(wanted.begin(), wanted.end(), had.begin(), had.end(), std::back_inserter(missing));
    EXPECT_EQ(moves[rank].total_received(), static_cast<std::int64_t>(missing.size()));
  }
}

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  int below(int n) { return static_cast<int>(generator_() % static_cast<unsigned>(n)); }

  Layout layout(const Shape& shape, int ranks) {
    std::vector<int> grid;
    for (int left = ranks, factor = 2; left > 1;) {
      if (left % factor != 0) {
        ++factor;
      } else if (!grid.empty() && below(2) == 0) {
        grid.back() *= factor;
        left /= factor;
      } else {
        grid.push_back(factor);
        left /= factor;
      }
    }
    if (grid.empty()) grid.push_back(1);
    std::vector<std::vector<int>> mapping(shape.order());
    for (int dim = 0; dim < static_cast<int>(grid.size()); ++dim) {
      const int mode = below(shape.order() + 1);
      if (mode < shape.order()) mapping[mode].push_back(dim);
    }
    std::vector<int> tiles(shape.order(), 0);
    for (const auto& unit : shape.dims()) {
      if (below(3) == 0) {
        for (int mode : unit.modes) tiles[mode] = 1 + below(7);
        for (int mode : unit.modes) tiles[mode] = tiles[unit.modes[0]];
      }
    }
    return Layout(Grid(grid), mapping, tiles);
  }

  ShapePointer shape() {
    const int order = below(5);
    Extents extents;
    for (int mode = 0; mode < order; ++mode) extents.push_back(below(9));
    Symmetry symmetry;
    std::vector<int> modes(order);
    std::iota(modes.begin(), modes.end(), 0);
    std::shuffle(modes.begin(), modes.end(), generator_);
    for (std::size_t first = 0; first < modes.size();) {
      const std::size_t degree = std::min<std::size_t>(1 + below(4), modes.size() - first);
      const std::vector<int> group(modes.begin() + first, modes.begin() + first + degree);
      for (int mode : group) extents[mode] = extents[group[0]];
      if (degree > 1) {
        const int kind = below(3);
        symmetry = symmetry * (kind == 0 ? symmetric(group) : kind == 1 ? antisymmetric(group) : hollow(group));
      }
      first += degree;
    }
    return std::make_shared<Shape>(extents, symmetry);
  }

 private:
  std::mt19937 generator_;
};

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
