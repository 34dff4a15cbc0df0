// Tables 2-7 of seed 004: the cost formulas against the loops, and the closed forms against the cost formulas.
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "parallel_disk_case.hpp"

namespace ricci_test {
namespace {

// How often the loops around an array's disk statement repeat it: once for each tile of the label of the first array
// that it lacks. Written for the text of the order, sharing nothing with LoopRoles.
double repeats(const std::string& order, char array, const TileNumbers& n) {
  const std::map<char, std::string> labels = {{'A', "ik"}, {'B', "jk"}, {'C', "ij"}};
  if (order[0] == array) return 1;
  for (const char label : labels.at(order[0])) {
    if (labels.at(array).find(label) == std::string::npos) return label == 'i' ? n.it1 : label == 'j' ? n.jt1 : n.kt1;
  }
  return 1;
}

DiskVolumes oracle(const ParallelDiskCase& c, const ParallelDiskMethod& method, const TileNumbers& n) {
  const std::string order = name_of(method.order);
  const double p = c.ranks, q = std::sqrt(p);
  const bool inside = method.communication == Communication::inside;
  double a = c.size_a() / p * repeats(order, 'A', n);
  double b = c.size_b() / p * repeats(order, 'B', n);
  double cc = 2 * c.size_c() / p * repeats(order, 'C', n);
  if (method.algorithm == ParallelAlgorithm::rotation) {
    if (!inside) return {(c.size_a() + c.size_b()) / q, 2 * (c.size_a() + c.size_b()) / q, q * (a + b + cc)};
    return {c.size_a() / q * n.jt1 * n.jt2 + c.size_b() / q * n.it1 * n.it2, 0, a + b + cc};
  }
  if (method.algorithm == ParallelAlgorithm::accumulation) {
    if (!inside) return {c.size_c() * c.log_p(), c.size_c(), a + b + p * cc};
    return {c.size_c() * c.log_p() * repeats(order, 'C', n), 0, a + b + p * cc};
  }
  double& copied = method.replicated == Array::a ? a : b;
  const double size = method.replicated == Array::a ? c.size_a() : c.size_b();
  if (inside) return {copied * p, 0, a + b + cc};
  copied *= p;
  return {size, size, a + b + cc};
}

// The tile constraints, from the loops: tiles of the labels of an array that are cut outside of its statement.
struct Tiling {
  double a, b, c;
};
Tiling tile_sizes(const ParallelDiskCase& c, const ParallelDiskMethod& method, const TileNumbers& n) {
  const double p = c.ranks;
  const bool rotation = method.algorithm == ParallelAlgorithm::rotation;
  const bool replication = method.algorithm == ParallelAlgorithm::replication;
  const bool accumulation = method.algorithm == ParallelAlgorithm::accumulation;
  const double share_a = rotation || accumulation || method.replicated == Array::b ? p : 1;
  const double share_b = !(replication && method.replicated == Array::b) ? p : 1;
  const double share_c = accumulation ? 1 : p;
  // The inner loop is around the last array only.
  const char last = name_of(method.order)[2];
  const double inner = n.it2 * n.jt2 * n.kt2;
  return {c.size_a() / share_a / (n.it1 * n.kt1) / (last == 'A' ? inner : 1),
          c.size_b() / share_b / (n.jt1 * n.kt1) / (last == 'B' ? inner : 1),
          c.size_c() / share_c / (n.it1 * n.jt1) / (last == 'C' ? inner : 1)};
}

TileNumbers random_tiles(std::mt19937_64& random, const ParallelDiskMethod& method) {
  TileNumbers n{random_real(random, 1, 1e4), random_real(random, 1, 1e4), random_real(random, 1, 1e4)};
  const std::map<std::string, Label> inner = {{"ABC", Label::i}, {"ACB", Label::k}, {"BAC", Label::j},
                                              {"BCA", Label::k}, {"CAB", Label::j}, {"CBA", Label::i}};
  n.inner(inner.at(name_of(method.order))) = random_real(random, 1, 1e2);
  return n;
}

double effective(const ParallelDiskCase& c, const ParallelDiskMethod& method, const DiskVolumes& volumes) {
  return seconds_of(c, method, volumes) * c.disk_bandwidth / c.element_bytes;
}

TEST(ParallelDiskTables, CostFormulasAreThoseOfTheLoops) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 300; ++n) {
    const ParallelDiskCase c = random_large_case(random);
    for (const ParallelDiskMethod& method : all_methods()) {
      const TileNumbers tiles = random_tiles(random, method);
      const DiskVolumes expected = oracle(c, method, tiles), got = volumes_of(c, method, {}, tiles);
      ASSERT_NEAR(got.communication / expected.communication, 1, 1e-12) << method;
      ASSERT_NEAR(got.disk_communication, expected.disk_communication, 1e-12 * expected.disk_communication) << method;
      ASSERT_NEAR(got.disk_computation / expected.disk_computation, 1, 1e-12) << method;
    }
  }
}

TEST(ParallelDiskTables, ClosedFormsAreTheCostsAtTheirTiles) {
  std::mt19937_64 random(2);
  std::set<std::pair<int, int>> met;
  for (int n = 0; n < 3000; ++n) {
    const ParallelDiskCase c = random_large_case(random);
    for (const ParallelDiskMethod& method : all_methods()) {
      const auto minimum = closed_form(c, method);
      if (!minimum) continue;
      met.insert({minimum->table, minimum->condition});
      const double cost = effective(c, method, volumes_of(c, method, {}, minimum->tiles));
      ASSERT_NEAR(cost / minimum->effective, 1, 1e-9)
          << c << '\n'
          << method << ", Table " << minimum->table << " <" << minimum->condition << ">";
    }
  }
  for (const int table : {2, 3, 4, 6, 7}) {
    for (int condition = 1; condition <= 4; ++condition) EXPECT_TRUE(met.count({table, condition})) << table;
  }
  for (int cell = 1; cell <= 10; ++cell) EXPECT_TRUE(met.count({5, cell})) << "cell " << cell;
}

TEST(ParallelDiskTables, ClosedFormsMeetTheTileConstraints) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 1000; ++n) {
    const ParallelDiskCase c = random_large_case(random);
    const double limit = static_cast<double>(c.tile_elements) * (1 + 1e-9);
    for (const ParallelDiskMethod& method : all_methods()) {
      const auto minimum = closed_form(c, method);
      if (!minimum) continue;
      const Tiling sizes = tile_sizes(c, method, minimum->tiles);
      ASSERT_LE(std::max({sizes.a, sizes.b, sizes.c}), limit)
          << c << '\n'
          << method << ", Table " << minimum->table << " <" << minimum->condition << ">";
      for (const Label label : all_labels) {
        ASSERT_GE(minimum->tiles.outer(label), 1 - 1e-12);
        ASSERT_GE(minimum->tiles.inner(label), 1 - 1e-12);
      }
    }
  }
}

// Of Table 5 the communication is least, of the others the whole.
TEST(ParallelDiskTables, NoOtherTilesAreBetterThanTheClosedForms) {
  std::mt19937_64 random(4);
  int compared = 0;
  for (int n = 0; n < 2000; ++n) {
    const ParallelDiskCase c = random_large_case(random);
    for (const ParallelDiskMethod& method : all_methods()) {
      const auto minimum = closed_form(c, method);
      if (!minimum) continue;
      TileNumbers tiles = random_tiles(random, method);
      if (n % 2 == 0) {  // not far from the best
        for (const Label label : all_labels) {
          tiles.outer(label) = std::max(1.0, minimum->tiles.outer(label) * random_real(random, 0.8, 1.3));
          tiles.inner(label) = tiles.inner(label) == 1 ? 1 : minimum->tiles.inner(label) * random_real(random, 1, 1.5);
        }
      }
      const Tiling sizes = tile_sizes(c, method, tiles);
      if (std::max({sizes.a, sizes.b, sizes.c}) > static_cast<double>(c.tile_elements)) continue;
      ++compared;
      const DiskVolumes other = volumes_of(c, method, {}, tiles);
      if (minimum->table == 5) {
        const DiskVolumes best = volumes_of(c, method, {}, minimum->tiles);
        ASSERT_GE(other.communication, best.communication * (1 - 1e-9)) << c << '\n' << method;
      } else {
        ASSERT_GE(effective(c, method, other), minimum->effective * (1 - 1e-9)) << c << '\n' << method;
      }
    }
  }
  EXPECT_GT(compared, 5000);
}

// The lower limits for the loops that cost nothing, where the tables print what follows.
TEST(ParallelDiskTables, FreeLoopsAreThePrintedOnes) {
  ParallelDiskCase c{.i = 50000, .j = 70000, .k = 90000, .ranks = 16, .tile_elements = 1000000};
  const double i = 50000, j = 70000, k = 90000, m = 1e6, p = 16, r = c.disk_bandwidth / c.network_bandwidth;
  const auto at = [&](ParallelAlgorithm algorithm, Communication where, DiskOrder order) {
    return closed_form(c, {algorithm, where, order, Array::a})->tiles;
  };
  using enum ParallelAlgorithm;
  using enum Communication;
  EXPECT_DOUBLE_EQ(at(rotation, outside, DiskOrder::abc).jt1, j * std::sqrt(2 / (m * p)));
  EXPECT_DOUBLE_EQ(at(rotation, outside, DiskOrder::bac).it1, i * std::sqrt(2 / (m * p)));
  EXPECT_DOUBLE_EQ(at(replication, outside, DiskOrder::bac).it1, i * std::sqrt(2 / m));
  EXPECT_DOUBLE_EQ(at(replication, outside, DiskOrder::cab).kt1, k / std::sqrt(m));
  EXPECT_DOUBLE_EQ(at(accumulation, outside, DiskOrder::abc).jt1, j * std::sqrt(2 / m));
  EXPECT_DOUBLE_EQ(at(replication, inside, DiskOrder::bac).it1, i * std::sqrt(2 * p / (m * (1 + p * r))));
  EXPECT_DOUBLE_EQ(at(replication, inside, DiskOrder::cab).kt1, k * std::sqrt(p / (m * (1 + p * r))));
  EXPECT_DOUBLE_EQ(at(accumulation, inside, DiskOrder::abc).jt1, j * std::sqrt((2 + r * 4) / m));
  EXPECT_DOUBLE_EQ(at(accumulation, inside, DiskOrder::cab).kt1, k / std::sqrt(m * p * p));
}

TEST(ParallelDiskTables, OneRankCommunicatesNothingAndWhatFitsIsNotOnDisk) {
  const ParallelDiskCase alone{.i = 100, .j = 100, .k = 100, .ranks = 1, .tile_elements = 500};
  const ParallelDiskCase small{.i = 100, .j = 100, .k = 100, .ranks = 4, .tile_elements = 10000};
  for (const ParallelDiskMethod& method : all_methods()) {
    const RefinedTiles one = refine(alone, method);
    EXPECT_EQ(one.volumes.communication, 0) << method;
    EXPECT_EQ(one.volumes.disk_communication, 0) << method;
    EXPECT_GT(one.volumes.disk_computation, 0) << method;
    EXPECT_EQ(refine(small, method).volumes.disk(), 0) << method;
    EXPECT_GT(refine(small, method).volumes.communication, 0) << method;
  }
}

}  // namespace
}  // namespace ricci_test
