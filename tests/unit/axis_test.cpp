// Every index exactly once and in order, whatever is cut, restricted or started from.
#include "kernels/axis.hpp"

#include <gtest/gtest.h>

#include "axis_case.hpp"

namespace ricci::kernels {
namespace {

using symmetry::Role;
using symmetry::Unit;

Unit plain(int label, std::int64_t extent) { return {{label}, Role::row, extent, false, false, extent}; }

Unit pair_of(int first_label, std::int64_t extent, bool strict, bool shares_repeats = false) {
  const auto size = static_cast<std::int64_t>(sorted_tuples(strict, extent, 2).size());
  return {{first_label, first_label + 1}, Role::row, extent, strict, shares_repeats, size};
}

TEST(Axis, WithoutLoopsHasOnePosition) {
  const Axis axis;
  EXPECT_EQ(axis.size(), 1);
  AxisCase({}, {}).check_all_blocks();
}

TEST(Axis, RunsItsLoopsInTheGivenOrder) {
  AxisCase({plain(0, 3), plain(1, 4), plain(2, 2)}, {{1, 0, 0, 4}, {2, 0, 0, 2}, {0, 0, 0, 3}}).check_all_blocks();
}

TEST(Axis, ALoopOfExtentZeroLeavesNothing) {
  const AxisCase empty({plain(0, 3), plain(1, 0)}, {{0, 0, 0, 3}, {1, 0, 0, 0}});
  EXPECT_EQ(empty.axis().size(), 0);
  empty.check_all_blocks();
}

TEST(Axis, CutLoopsWithRemainders) {
  for (const std::int64_t block : {1, 2, 3, 4}) {
    SCOPED_TRACE(block);
    AxisCase({plain(0, 7), plain(1, 5)}, {{0, block, 0, 7}, {1, 0, 0, 5}}).check_all_blocks();
    AxisCase({plain(0, 7), plain(1, 5)}, {{0, 0, 0, 7}, {1, block, 0, 5}}).check_all_blocks();
    AxisCase({plain(0, 7), plain(1, 5)}, {{0, block, 0, 7}, {1, 2, 0, 5}}).check_all_blocks();
    AxisCase({plain(0, 7), plain(1, 5), plain(2, 3)}, {{2, 2, 0, 3}, {0, block, 0, 7}, {1, 0, 0, 5}})
        .check_all_blocks();
    AxisCase({plain(0, 5), plain(1, 5), plain(2, 5)}, {{0, 2, 0, 5}, {1, block, 0, 5}, {2, 3, 0, 5}})
        .check_all_blocks();
  }
}

TEST(Axis, RestrictedLoops) {
  for (const std::int64_t first : {0, 1, 4}) {
    for (const std::int64_t count : {0, 1, 2, 3}) {
      SCOPED_TRACE(testing::Message() << first << " + " << count);
      AxisCase({plain(0, 7), plain(1, 4)}, {{0, 0, first, count}, {1, 0, 0, 4}}).check_all_blocks();
      AxisCase({plain(0, 7), plain(1, 4)}, {{1, 0, 0, 4}, {0, 0, first, count}}).check_all_blocks();
      AxisCase({plain(0, 7), plain(1, 4)}, {{0, 2, first, count}, {1, 3, 0, 4}}).check_all_blocks();
      AxisCase({plain(0, 7), plain(1, 4)}, {{1, 3, 0, 4}, {0, 2, first, count}}).check_all_blocks();
    }
  }
}

TEST(Axis, PackedLoops) {
  for (const bool strict : {false, true}) {
    const Unit pair = pair_of(0, 5, strict);
    SCOPED_TRACE(strict ? "strict" : "with repeats");
    AxisCase({pair, plain(2, 3)}, {{0, 0, 0, pair.size}, {1, 0, 0, 3}}).check_all_blocks();
    AxisCase({pair, plain(2, 3)}, {{1, 0, 0, 3}, {0, 0, 0, pair.size}}).check_all_blocks();
    AxisCase({pair, plain(2, 3)}, {{0, 4, 0, pair.size}, {1, 2, 0, 3}}).check_all_blocks();
    AxisCase({pair, plain(2, 3)}, {{1, 2, 0, 3}, {0, 4, 0, pair.size}}).check_all_blocks();
    AxisCase({pair, plain(2, 3)}, {{0, 0, 3, 6}, {1, 0, 0, 3}}).check_all_blocks();
    AxisCase({pair, plain(2, 3)}, {{1, 0, 0, 3}, {0, 4, 2, 7}}).check_all_blocks();
  }
}

TEST(Axis, RepeatsShareTheirWeight) {
  const Unit pair = pair_of(1, 4, false, true);
  AxisCase({plain(0, 3), pair}, {{1, 0, 0, pair.size}, {0, 0, 0, 3}}).check_all_blocks();
  AxisCase({plain(0, 3), pair}, {{0, 0, 0, 3}, {1, 3, 0, pair.size}}).check_all_blocks();
  const Unit other = pair_of(3, 3, false, true);
  AxisCase({plain(0, 2), pair, other}, {{1, 0, 0, pair.size}, {2, 0, 0, other.size}, {0, 0, 0, 2}}).check_all_blocks();
}

TEST(Axis, RectanglesOfTheTwoFastestLoops) {
  const std::vector<Unit> units = {plain(0, 7), plain(1, 5), plain(2, 3)};
  EXPECT_EQ(Axis(units, {0, 1, 2}).rectangle(), 1) << "nothing is cut";
  EXPECT_EQ(Axis(units, {0, 1, 2}, {4, 2}).rectangle(), 8);
  EXPECT_EQ(Axis(units, {0, 1, 2}, {0, 2}).rectangle(), 14);
  EXPECT_EQ(Axis(units, {0, 1, 2}, {7, 5}).rectangle(), 1) << "a block as long as the loop cuts nothing";
}

}  // namespace
}  // namespace ricci::kernels
