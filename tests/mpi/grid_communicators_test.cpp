#include "comm/grid_communicators.hpp"

#include <algorithm>

#include <ricci/error.hpp>

#include "comm_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci::comm;
using Ints = std::vector<int>;

/// Every grid of up to three dimensions, extents of 1 among them.
std::vector<Ints> grids_of(int ranks) {
  std::vector<Ints> grids{{ranks}};
  for (int a = 1; a <= ranks; ++a) {
    if (ranks % a != 0) continue;
    grids.push_back({a, ranks / a});
    for (int b = 1; b <= ranks / a; ++b)
      if (ranks / a % b == 0) grids.push_back({a, b, ranks / a / b});
  }
  return grids;
}

/// The ranks in a communicator, in its order.
Sizes members(const Communicator& group, int rank_in_world) {
  const std::int64_t mine = rank_in_world;
  Sizes all(static_cast<std::size_t>(group.size()));
  group.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)),
                   Sizes(all.size(), sizeof mine));
  return all;
}

/// By comparing the coordinates of every rank.
Sizes expected_members(const GridCommunicators& grid, const Ints& dimensions) {
  Sizes expected;
  for (int rank = 0; rank < grid.all().size(); ++rank) {
    const Ints there = grid.coordinates_of(rank);
    bool same = true;
    for (int d = 0; d < std::ssize(there); ++d) {
      const bool free = std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
      const auto i = static_cast<std::size_t>(d);
      same = same && (free || there[i] == grid.coordinates()[i]);
    }
    if (same) expected.push_back(rank);
  }
  return expected;
}

TEST(GridCommunicators, RanksAreRowMajor) {
  const Communicator world = Communicator::world();
  for (const Ints& extents : grids_of(world.size())) {
    const GridCommunicators grid(world, extents);
    EXPECT_EQ(grid.rank_of(grid.coordinates()), world.rank());
    if (extents.size() == 3) {
      const Ints& c = grid.coordinates();
      EXPECT_EQ((c[0] * extents[1] + c[1]) * extents[2] + c[2], world.rank());
    }
  }
}

TEST(GridCommunicators, LinesAndPlanes) {
  const Communicator world = Communicator::world();
  for (const Ints& extents : grids_of(world.size())) {
    GridCommunicators grid(world, extents);
    for (int mask = 0; mask < 1 << extents.size(); ++mask) {
      Ints dimensions;
      for (int d = 0; d < std::ssize(extents); ++d)
        if (mask >> d & 1) dimensions.insert(dimensions.begin(), d);  // descending: the order must not matter
      EXPECT_EQ(members(grid.along(dimensions), world.rank()), expected_members(grid, dimensions));
    }
  }
}

TEST(GridCommunicators, AreMadeOnce) {
  const Communicator world = Communicator::world();
  GridCommunicators grid(world, {1, world.size(), 1});
  EXPECT_EQ(&grid.along({0}).handle(), &grid.along({}).handle());
  EXPECT_EQ(&grid.along({0, 1}).handle(), &world.handle());
  grid.along({2}).all_reduce(1.0, Operation::sum);
  EXPECT_EQ(grid.traffic(), world.size() == 1 ? Traffic{} : (Traffic{1, 0, 0}));  // one rank is all()
}

TEST(GridCommunicators, RefuseGridsOfOtherSizes) {
  const Communicator world = Communicator::world();
  EXPECT_THROW(GridCommunicators(world, {world.size() + 1}), ricci::InternalError);
  EXPECT_THROW(GridCommunicators(world, {-1, -world.size()}), ricci::InternalError);
  EXPECT_THROW(GridCommunicators(world, {0}), ricci::InternalError);
  GridCommunicators grid(world, {world.size()});
  EXPECT_THROW(grid.along({1}), ricci::InternalError);
}

}  // namespace
}  // namespace ricci_test
