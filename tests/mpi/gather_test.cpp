// Broadcasts and gathers.
#include <numeric>

#include <ricci/error.hpp>

#include "comm/communicator.hpp"
#include "comm_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci::comm;

TEST(Broadcast, BringsTheBytesOfTheRoot) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(1);
    Traffic expected;
    for (int root = 0; root < group.size(); ++root) {
      const std::int64_t n = dice.size(data_size(group.chunk_limit()));
      std::vector<std::byte> data = bytes_of(group.rank(), 0, n);
      group.broadcast(data, root);
      EXPECT_EQ(data, bytes_of(root, 0, n));
      const std::int64_t others = group.rank() == root ? group.size() - 1 : 0;
      expected += {1, others * chunks(group, n), others * n};
    }
    EXPECT_EQ(group.traffic(Call::broadcast), expected);
    EXPECT_EQ(group.traffic(), expected);
  });
}

TEST(Broadcast, SeveralAreUnderWayAtOnce) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(2);
    std::vector<std::vector<std::byte>> data;
    for (int root = 0; root < group.size(); ++root)
      data.push_back(bytes_of(group.rank(), root, dice.size(data_size(group.chunk_limit()))));
    std::vector<Request> requests;
    for (int root = 0; root < group.size(); ++root)
      requests.push_back(group.start_broadcast(data[static_cast<std::size_t>(root)], root));
    while (!requests.empty()) {  // the last first
      requests.back().wait();
      requests.pop_back();
    }
    for (int root = 0; root < group.size(); ++root) {
      const auto& got = data[static_cast<std::size_t>(root)];
      EXPECT_EQ(got, bytes_of(root, root, std::ssize(got)));
    }
    const std::int64_t own = std::ssize(data[static_cast<std::size_t>(group.rank())]), others = group.size() - 1;
    EXPECT_EQ(group.traffic(Call::broadcast), (Traffic{group.size(), others * chunks(group, own), others * own}));
  });
}

void expect_gathered(const Communicator& group, const Sizes& sizes, bool in_place) {
  const auto rank = static_cast<std::size_t>(group.rank());
  const std::int64_t before = std::accumulate(sizes.begin(), sizes.begin() + group.rank(), std::int64_t{0});
  const std::vector<std::byte> mine = bytes_of(group.rank(), 9, sizes[rank]);
  std::vector<std::byte> all(static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}))),
      expected;
  for (int r = 0; r < group.size(); ++r) {
    const auto piece = bytes_of(r, 9, sizes[static_cast<std::size_t>(r)]);
    expected.insert(expected.end(), piece.begin(), piece.end());
  }
  if (in_place) {
    std::copy(mine.begin(), mine.end(), all.begin() + before);
    group.all_gather(std::span(all).subspan(static_cast<std::size_t>(before), mine.size()), all, sizes);
  } else {
    group.all_gather(mine, all, sizes);
  }
  EXPECT_EQ(all, expected);
}

TEST(AllGather, PutsThePiecesInOrder) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(3);
    Traffic expected;
    for (int round = 0; round < 4; ++round) {
      Sizes sizes(static_cast<std::size_t>(group.size()));
      for (auto& size : sizes) size = round == 3 ? 0 : dice.size(data_size(group.chunk_limit()));
      expect_gathered(group, sizes, round == 1);
      const std::int64_t own = sizes[static_cast<std::size_t>(group.rank())], others = group.size() - 1;
      expected += {1, others * chunks(group, own), others * own};
    }
    EXPECT_EQ(group.traffic(Call::gather), expected);
    EXPECT_EQ(group.traffic(), expected);
  });
}

TEST(AllGather, RefusesSizesThatDoNotFit) {
  const Communicator world = Communicator::world();
  std::vector<std::byte> mine(3), all(static_cast<std::size_t>(3 * world.size() + 1));
  const Sizes sizes(static_cast<std::size_t>(world.size()), 3);
  EXPECT_THROW(world.all_gather(mine, all, sizes), ricci::InternalError);
  EXPECT_THROW(world.all_gather(mine, all, Sizes{}), ricci::InternalError);
}

}  // namespace
}  // namespace ricci_test
