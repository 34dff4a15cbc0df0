// Whole numbers of tiles: against trying them all, against the closed forms, and with more and more memory.
#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "parallel_disk_case.hpp"

namespace ricci_test {
namespace {

std::int64_t up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

// Blocks of a rank, written out once more for every way: extents of A, B and C that are held, in elements.
struct Held {
  std::int64_t a, b, c;
};
Held held(const ParallelDiskCase& c, const ParallelDiskMethod& method, const TileNumbers& n, char last) {
  const auto cut = [](std::int64_t extent, double outer, double inner) {
    return up(up(extent, static_cast<std::int64_t>(outer)), static_cast<std::int64_t>(inner));
  };
  const std::int64_t side = std::lround(std::sqrt(c.ranks));
  const bool rotation = method.algorithm == ParallelAlgorithm::rotation;
  const bool replication = method.algorithm == ParallelAlgorithm::replication;
  const std::int64_t pi = rotation ? side : replication && method.replicated == Array::b ? c.ranks : 1;
  const std::int64_t pj = rotation ? side : replication && method.replicated == Array::a ? c.ranks : 1;
  const std::int64_t pk = rotation ? side : replication ? 1 : c.ranks;
  const auto size = [&](char array, std::int64_t x, double x1, double x2, std::int64_t px, std::int64_t y, double y1,
                        double y2, std::int64_t py) {
    const bool inner = array == last;
    return up(cut(x, x1, inner ? x2 : 1), px) * up(cut(y, y1, inner ? y2 : 1), py);
  };
  return {size('A', c.i, n.it1, n.it2, pi, c.k, n.kt1, n.kt2, pk),
          size('B', c.j, n.jt1, n.jt2, pj, c.k, n.kt1, n.kt2, pk),
          size('C', c.i, n.it1, n.it2, pi, c.j, n.jt1, n.jt2, pj)};
}

struct BruteForce {
  ParallelDiskCase c;
  ParallelDiskMethod method;
  char last = name_of(method.order)[2];
  Held whole = held(c, method, {}, 0);
  ResidentArrays small = {whole.a <= c.tile_elements, whole.b <= c.tile_elements, whole.c <= c.tile_elements};

  bool fits(const TileNumbers& n, const ResidentArrays& resident) const {
    Held h = held(c, method, n, last);
    if (resident.a) h.a = whole.a;
    if (resident.b) h.b = whole.b;
    if (resident.c) h.c = whole.c;
    if (c.divide_memory_freely) return h.a + h.b + h.c <= 3 * c.tile_elements;
    return std::max({h.a, h.b, h.c}) <= c.tile_elements;
  }

  double best() const {
    if (!c.divide_memory_freely) return best(small);
    double least = INFINITY;
    for (const bool a : {false, true}) {
      for (const bool b : {false, true}) {
        for (const bool out : {false, true}) least = std::min(least, best({a, b, out}));
      }
    }
    return least;
  }

  double best(const ResidentArrays& resident) const {
    double least = INFINITY;
    const std::string order = name_of(method.order);
    const Label inner = order == "ABC" || order == "CBA"   ? Label::i
                        : order == "BAC" || order == "CAB" ? Label::j
                                                           : Label::k;
    TileNumbers n;
    for (n.it1 = 1; n.it1 <= static_cast<double>(c.i); ++n.it1) {
      for (n.jt1 = 1; n.jt1 <= static_cast<double>(c.j); ++n.jt1) {
        for (n.kt1 = 1; n.kt1 <= static_cast<double>(c.k); ++n.kt1) {
          for (double t2 = 1; t2 <= 12; ++t2) {
            n.inner(inner) = t2;
            if (fits(n, resident)) least = std::min(least, seconds_of(c, method, volumes_of(c, method, resident, n)));
          }
        }
      }
    }
    return least;
  }
};

TEST(ParallelDiskRefine, IsTheBestOfAllNumbersOfTiles) {
  std::mt19937_64 random(5);
  for (int n = 0; n < 25; ++n) {
    const ParallelDiskCase c = random_small_case(random);
    for (const ParallelDiskMethod& method : all_methods()) {
      const BruteForce all{c, method};
      const RefinedTiles refined = refine(c, method);
      ASSERT_TRUE(all.fits(refined.tiles, refined.resident)) << c << '\n' << method;
      ASSERT_NEAR(refined.seconds, all.best(), 1e-12 * refined.seconds) << c << '\n' << method;
      ASSERT_EQ(refined.seconds, seconds_of(c, method, refined.volumes));
    }
  }
}

TEST(ParallelDiskRefine, IsBetweenTheClosedFormAndItsCeilings) {
  std::mt19937_64 random(6);
  int fitting = 0, near = 0;
  for (int n = 0; n < 80; ++n) {
    ParallelDiskCase c = random_large_case(random);
    c.tile_elements = std::max<std::int64_t>(c.tile_elements, 100000);
    for (const ParallelDiskMethod& method : all_methods()) {
      const auto closed = closed_form(c, method);
      if (!closed) continue;
      const RefinedTiles refined = refine(c, method);
      const BruteForce blocks{c, method};
      ASSERT_TRUE(blocks.fits(refined.tiles, refined.resident)) << c << '\n' << method;
      const auto rounded = rounded_closed_form(c, method, refined.resident);
      if (blocks.fits(rounded->tiles, refined.resident)) {
        ++fitting;
        ASSERT_LE(refined.seconds, rounded->seconds) << c << '\n' << method;
      }
      // The closed forms of Table 5 are not those of the least time, and arrays that stay in memory cost less.
      if (closed->table == 5 || refined.resident != ResidentArrays{}) continue;
      ++near;
      const double bound = closed->effective * c.element_bytes / c.disk_bandwidth;
      ASSERT_GE(refined.seconds, bound * (1 - 1e-9)) << c << '\n' << method;
    }
  }
  EXPECT_GT(fitting, 500);
  EXPECT_GT(near, 500);
}

// Where there are too many numbers of tiles to try, of inside rotation, it comes close to the best.
TEST(ParallelDiskRefine, NoNearNumbersOfTilesAreMuchBetter) {
  std::mt19937_64 random(11);
  int compared = 0;
  for (int n = 0; n < 150; ++n) {
    ParallelDiskCase c = random_large_case(random);
    c.tile_elements = std::max<std::int64_t>(c.tile_elements, 10000);
    const ParallelDiskMethod method{ParallelAlgorithm::rotation, Communication::inside, all_orders[n % 6], Array::a};
    const RefinedTiles refined = refine(c, method);
    const BruteForce blocks{c, method};
    for (int m = 0; m < 300; ++m) {
      TileNumbers tiles = refined.tiles;
      const double spread = m % 2 == 0 ? 1.1 : 4;
      for (const Label label : all_labels) {
        const double factor = random_real(random, 1 / spread, spread);
        tiles.outer(label) = std::max(1.0, std::round(tiles.outer(label) * factor + random_real(random, 0.1, 2) - 1));
      }
      const Label last = roles_of(method.order).last;
      tiles.inner(last) = std::max(1.0, tiles.inner(last) + static_cast<double>(random_whole(random, -1, 1)));
      if (!blocks.fits(tiles, refined.resident)) continue;
      ++compared;
      const double other = seconds_of(c, method, volumes_of(c, method, refined.resident, tiles));
      ASSERT_GE(other, 0.99 * refined.seconds) << c << '\n' << method;
    }
  }
  EXPECT_GT(compared, 3000);
}

TEST(ParallelDiskRefine, MoreMemoryNeverCostsMore) {
  std::mt19937_64 random(7);
  for (int n = 0; n < 40; ++n) {
    ParallelDiskCase c = random_small_case(random);
    for (const ParallelDiskMethod& method : all_methods()) {
      double before = INFINITY;
      for (c.tile_elements = 1; c.tile_elements <= 150; c.tile_elements += 1 + c.tile_elements / 8) {
        const double now = refine(c, method).seconds;
        ASSERT_LE(now, before * (1 + 1e-12)) << c << '\n' << method;
        before = now;
      }
    }
  }
}

TEST(ParallelDiskRefine, FreelyDividedMemoryIsNoWorse) {
  std::mt19937_64 random(8);
  int better = 0;
  for (int n = 0; n < 60; ++n) {
    ParallelDiskCase c = random_small_case(random);
    for (const ParallelDiskMethod& method : all_methods()) {
      c.divide_memory_freely = false;
      const double thirds = refine(c, method).seconds;
      c.divide_memory_freely = true;
      const double freely = refine(c, method).seconds;
      ASSERT_LE(freely, thirds * (1 + 1e-12)) << c << '\n' << method;
      better += freely < thirds * 0.999;
    }
  }
  EXPECT_GT(better, 100);
}

TEST(ParallelDiskRefine, RefusesWhatMakesNoSense) {
  const auto message = [](const ParallelDiskCase& c, ParallelAlgorithm algorithm) {
    try {
      refine(c, {algorithm, Communication::inside, DiskOrder::abc, Array::a});
    } catch (const ricci::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message({.i = 5, .j = 5, .k = 5, .ranks = 6}, ParallelAlgorithm::rotation),
            "rotation needs a square number of ranks, not 6");
  EXPECT_EQ(message({.i = 0, .j = 5, .k = 5, .ranks = 4}, ParallelAlgorithm::rotation),
            "parallel disk plan: the extent I is 0, but must be positive");
  EXPECT_EQ(message({.i = 5, .j = 5, .k = 5, .ranks = 4, .tile_elements = 0}, ParallelAlgorithm::rotation),
            "parallel disk plan: the number of elements of a tile is 0, but must be positive");
  EXPECT_EQ(message({.i = 1LL << 40, .j = 5, .k = 1LL << 40, .ranks = 4}, ParallelAlgorithm::rotation),
            "parallel disk plan: an array of 1.209e+24 elements is more than 9e+15, which is the most that can be "
            "planned for");
  ParallelDiskCase backwards{.i = 5, .j = 5, .k = 5, .ranks = 4};
  backwards.reduction_rounds = -1;
  EXPECT_EQ(message(backwards, ParallelAlgorithm::rotation), "parallel disk plan: a reduction of -1 rounds");
}

}  // namespace
}  // namespace ricci_test
