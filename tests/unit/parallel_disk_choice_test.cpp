// The choice between all ways: what it considers, what redistribution adds, and what is printed.
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <ricci/error.hpp>

#include "parallel_disk_case.hpp"

namespace ricci_test {
namespace {

using enum ParallelAlgorithm;
using enum Communication;

ParallelDiskCase square_case() {
  ParallelDiskCase c{.i = 4000, .j = 4000, .k = 4000, .ranks = 4, .tile_elements = 1'000'000};
  c.disk_bandwidth = 8e6;
  c.network_bandwidth = 200e6;
  return c;
}

TEST(ParallelDiskChoice, IsTheFastestOfAllWays) {
  std::mt19937_64 random(12);
  for (int n = 0; n < 30; ++n) {
    const ParallelDiskCase c = random_small_case(random);
    const ParallelDiskPlan plan = choose_parallel_disk(c);
    ASSERT_EQ(plan.rivals.size() + 1, all_methods().size());
    double last = plan.chosen.seconds;
    std::set<std::string> names;
    for (const ParallelDiskWay& way : plan.rivals) {
      ASSERT_GE(way.seconds, last);
      ASSERT_EQ(way.seconds, refine(c, way.method).seconds);
      ASSERT_FALSE(way.reason.empty());
      last = way.seconds;
      names.insert(name_of(way.method));
    }
    ASSERT_EQ(names.size(), 8u);
    ASSERT_EQ(plan.chosen.seconds, refine(c, plan.chosen.method).seconds);
    ASSERT_DOUBLE_EQ(plan.disk_bytes(), 8 * plan.chosen.volumes.disk());
    ASSERT_DOUBLE_EQ(plan.communication_bytes(), 8 * plan.chosen.volumes.communication);
  }
}

TEST(ParallelDiskChoice, MoreMemoryNeverCostsMore) {
  std::mt19937_64 random(13);
  for (int n = 0; n < 8; ++n) {
    ParallelDiskCase c = random_large_case(random);
    double before = INFINITY;
    for (c.tile_elements = 20000; c.tile_elements < 1e10; c.tile_elements *= 3) {
      const double now = choose_parallel_disk(c).chosen.seconds;
      ASSERT_LE(now, before * (1 + 1e-12)) << c;
      before = now;
    }
  }
}

TEST(ParallelDiskChoice, RotationNeedsASquareNumberOfRanks) {
  ParallelDiskCase c = square_case();
  c.ranks = 6;
  const ParallelDiskPlan plan = choose_parallel_disk(c);
  int impossible = 0;
  for (const ParallelDiskWay& way : plan.rivals) {
    if (way.possible) continue;
    ++impossible;
    EXPECT_EQ(way.method.algorithm, rotation);
    EXPECT_EQ(way.reason, "needs a square number of ranks, not 6");
  }
  EXPECT_EQ(impossible, 12);
  EXPECT_NE(plan.chosen.method.algorithm, rotation);
}

TEST(ParallelDiskRedistribution, DistributionsAreThoseOfTable1) {
  const auto dist = [](const ParallelDiskMethod& method, Array array) {
    const auto needed = needed_distribution(method, array);
    return needed ? text_of(*needed) : std::string("any");
  };
  const ParallelDiskMethod rotated{rotation, outside}, copied_a{replication, inside, DiskOrder::abc, Array::a},
      copied_b{replication, outside, DiskOrder::abc, Array::b}, added{accumulation, inside};
  EXPECT_EQ(dist(rotated, Array::a) + dist(rotated, Array::b) + dist(rotated, Array::c), "<i,k><j,k><i,j>");
  EXPECT_EQ(dist(copied_a, Array::a) + dist(copied_a, Array::b) + dist(copied_a, Array::c), "any<j><j>");
  EXPECT_EQ(dist(copied_b, Array::a) + dist(copied_b, Array::b) + dist(copied_b, Array::c), "<i>any<i>");
  EXPECT_EQ(dist(added, Array::a) + dist(added, Array::b) + dist(added, Array::c), "<k><k><>");
}

TEST(ParallelDiskRedistribution, CostsCommunicationAndDisk) {
  const ParallelDiskCase c = square_case();
  const double a = c.size_a();
  const ArrayDistribution rows{Label::i}, grid{Label::i, Label::k}, turned{Label::k, Label::i}, all{};
  EXPECT_EQ(redistribution(c, a, false, grid, turned), DiskVolumes{});
  EXPECT_EQ(redistribution(c, a, false, all, rows), DiskVolumes{});
  EXPECT_EQ(redistribution(c, a, false, rows, grid), (DiskVolumes{a / 4 * 3 / 4, a / 4 + a / 4, 0}));
  EXPECT_EQ(redistribution(c, a, true, rows, grid), (DiskVolumes{a / 4 * 3 / 4, 0, 0}));
  EXPECT_EQ(redistribution(c, a, false, rows, all), (DiskVolumes{a, a / 4 + a, 0}));
}

// Only A is where accumulation wants it, so that B is moved and C need not be, as every rank gets all of it.
TEST(ParallelDiskRedistribution, CountsWhatIsNotInPlace) {
  const ParallelDiskCase c = square_case();
  const ConstrainedArrays given{
      .a = ArrayDistribution{Label::k}, .b = ArrayDistribution{Label::j}, .c = ArrayDistribution{Label::i}};
  const double size = c.size_a();
  const DiskVolumes one{size / 4 * 3 / 4, size / 2, 0};
  const auto moved = [&](const ParallelDiskMethod& method) { return redistribution_of(c, method, {}, given); };
  EXPECT_EQ(moved({accumulation, inside}), one);
  EXPECT_EQ(moved({replication, inside, DiskOrder::abc, Array::a}), one);
  EXPECT_EQ(moved({replication, inside, DiskOrder::abc, Array::b}), one);
  EXPECT_EQ(moved({rotation, inside}), (DiskVolumes{3 * one.communication, 3 * one.disk_communication, 0}));
}

TEST(ParallelDiskRedistribution, CanChangeTheChoice) {
  const ParallelDiskCase c = square_case();
  EXPECT_EQ(name_of(choose_parallel_disk(c).chosen.method), "inside rotation");
  const ConstrainedArrays given{.a = {}, .b = ArrayDistribution{Label::j}, .c = ArrayDistribution{Label::j}};
  const ParallelDiskPlan plan = choose_parallel_disk(c, given);
  EXPECT_EQ(name_of(plan.chosen.method), "inside replication of A");
  EXPECT_EQ(plan.chosen.redistributed, DiskVolumes{});
  for (const ParallelDiskWay& way : plan.rivals) {
    ASSERT_NEAR(way.seconds, seconds_of(c, way.method, way.volumes) + seconds_of(c, way.method, way.redistributed),
                1e-9);
  }
}

TEST(ParallelDiskRedistribution, RefusesLabelsThatAnArrayLacks) {
  const auto message = [](const ConstrainedArrays& given) {
    try {
      choose_parallel_disk(square_case(), given);
    } catch (const ricci::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message({.a = ArrayDistribution{Label::j}, .b = {}, .c = {}}),
            "A cannot be spread by <j>: it has the labels <i,k>, each of which may stand once");
  EXPECT_EQ(message({.a = {}, .b = {}, .c = ArrayDistribution{Label::i, Label::i}}),
            "C cannot be spread by <i,i>: it has the labels <i,j>, each of which may stand once");
}

TEST(ParallelDiskChoice, Prints) {
  std::ostringstream out;
  ConstrainedArrays given{.a = ArrayDistribution{Label::i, Label::k}, .b = {}, .c = {}};
  out << choose_parallel_disk(square_case(), given);
  EXPECT_EQ(
      out.str(),
      R"(C(I,J) += A(I,K) * B(J,K), I = 4000, J = 4000, K = 4000, on 4 ranks, 1000000 elements of 8 B a tile, disk 8e+06 B/s, network 2e+08 B/s
  elements a rank                     tiles I J K          V         D1         D2  move sec.   all sec.
  inside rotation           CAB      2 2 2, Jt2 1    3.2e+07          0    2.4e+07          0      25.28  chosen
  inside replication of A   CAB      2 2 8, Jt2 1    3.2e+07          0    2.4e+07          0      25.28  as fast
  inside replication of B   CAB      2 2 2, Jt2 4    3.2e+07          0    2.4e+07       8.12       33.4  1.32 times as long: disk 1.33 times, network 1.09 times
  outside replication of A  CAB      4 1 4, Jt2 1    1.6e+07    1.6e+07      4e+07          0      56.64  2.24 times as long: disk 2.33 times, network 0.5 times
  inside accumulation       ABC      4 4 1, It2 1    3.2e+07          0    5.2e+07       8.12       61.4  2.43 times as long: disk 2.5 times, network 1.09 times
  outside replication of B  CAB      1 4 4, Jt2 1    1.6e+07    1.6e+07      4e+07       8.12      64.76  2.56 times as long: disk 2.67 times, network 0.594 times
  outside accumulation      ABC      4 4 1, It2 1    3.2e+07    1.6e+07    5.2e+07       8.12       77.4  3.06 times as long: disk 3.17 times, network 1.09 times
  outside rotation          CAB      2 2 2, Jt2 1    1.6e+07    3.2e+07    4.8e+07          0      80.64  3.19 times as long: disk 3.33 times, network 0.5 times
  closed form: Table 5 CAB <7>, tiles 2 2 2; rounded up 25.28 s
for It1 = 1..2, Jt1 = 1..2
  Collective Read C[Ii1,Ji1]  (Local Read 1000 x 1000)
  for Kt1 = 1..2
    Collective Read A[Ii1,Ki1]  (Local Read 1000 x 1000)
    for Jt2 = 1..1
      Collective Read B[Ji2,Ki1]  (Local Read 1000 x 1000)
      for 2 Rotations
        C[Ii1,Ji2] += A[Ii1,Ki1] * B[Ji2,Ki1]
        Circular-shift In-Core A[Ii1,Ki1]
        Circular-shift In-Core B[Ji2,Ki1]
  Collective Write C[Ii1,Ji1]  (Local Write 1000 x 1000)
)");
  std::ostringstream small;
  small << ParallelDiskMethod{replication, outside, DiskOrder::bca, Array::b};
  EXPECT_EQ(small.str(), "outside replication of B, order BCA");
}

}  // namespace
}  // namespace ricci_test
