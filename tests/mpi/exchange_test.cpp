// A block of every rank for every rank.
#include <algorithm>
#include <numeric>

#include <ricci/error.hpp>

#include "comm/communicator.hpp"
#include "comm_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci::comm;

/// Blocks for all ranks within one buffer, in a random order with gaps between them.
struct Buffer {
  std::vector<std::byte> data;
  Sizes bytes, at;

  Buffer(Sizes lengths, std::int64_t largest_gap, SizeDice& dice) : bytes(std::move(lengths)), at(bytes.size()) {
    std::vector<std::size_t> order(bytes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(i)))]);
    std::int64_t end = 0;
    for (const std::size_t r : order) {
      at[r] = end + dice.size(largest_gap);
      end = at[r] + bytes[r];
    }
    data.assign(static_cast<std::size_t>(end + 5), std::byte{0xee});
  }

  void put(std::size_t r, const std::vector<std::byte>& block) {
    std::copy(block.begin(), block.end(), data.begin() + at[r]);
  }
};

/// sizes[s][r]: what rank s sends to rank r.
void expect_exchanged(const Communicator& group, const std::vector<Sizes>& sizes, std::int64_t largest_gap,
                      SizeDice& dice) {
  const auto rank = static_cast<std::size_t>(group.rank());
  SizeDice own_dice(static_cast<std::uint64_t>(dice.between(0, 1 << 20)) * 64 +
                    rank);  // where they lie is each rank's own
  Sizes incoming;
  for (const Sizes& row : sizes) incoming.push_back(row[rank]);
  Buffer send(sizes[rank], largest_gap, own_dice), receive(incoming, largest_gap, own_dice), expected = receive;
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    send.put(r, bytes_of(group.rank(), static_cast<std::int64_t>(r), sizes[rank][r]));
    expected.put(r, bytes_of(static_cast<std::int64_t>(r), group.rank(), sizes[r][rank]));
  }
  group.exchange(send.data.data(), send.bytes, send.at, receive.data.data(), receive.bytes, receive.at);
  EXPECT_EQ(receive.data, expected.data);  // the gaps, too
}

TEST(Exchange, BringsEachBlockToItsPlace) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(8);
    Traffic expected;
    const auto size = static_cast<std::size_t>(group.size()), rank = static_cast<std::size_t>(group.rank());
    // Sizes below, around and above what MPI_Alltoallv is given; without gaps and with large ones; nothing at all.
    const std::int64_t most = data_size(group.chunk_limit()), edge = group.chunk_limit() / group.size();
    for (const auto& [low, high, gap] :
         {std::tuple{std::int64_t{0}, most, std::int64_t{0}}, std::tuple{std::int64_t{0}, most, 2 * most},
          std::tuple{std::min(edge, most) / 2, std::min(edge, most), std::int64_t{9}},
          std::tuple{std::min(edge, most), std::min(edge, most) + 2, 3 * most},
          std::tuple{std::int64_t{0}, std::int64_t{0}, std::int64_t{9}}}) {
      for (int round = 0; round < 4; ++round) {
        std::vector<Sizes> sizes(size, Sizes(size));
        for (Sizes& row : sizes)
          for (auto& length : row) length = low + dice.size(high - low);
        expect_exchanged(group, sizes, gap, dice);
        expected.calls += 1;
        for (std::size_t r = 0; r < size; ++r)
          if (r != rank) expected += {0, chunks(group, sizes[rank][r]), sizes[rank][r]};
      }
    }
    EXPECT_EQ(group.traffic(Call::exchange), expected);
    EXPECT_EQ(group.traffic(), expected);
  });
}

TEST(Exchange, NumbersGoToAll) {
  for_each_case([](const Communicator& group) {
    Traffic expected;
    for (const std::int64_t each : {1, 0, 5}) {
      Sizes send, receive(static_cast<std::size_t>(each * group.size())), wanted;
      for (std::int64_t r = 0; r < group.size(); ++r) {
        for (std::int64_t i = 0; i < each; ++i) {
          send.push_back(group.rank() * 1000 + r * 10 + i);
          wanted.push_back(r * 1000 + group.rank() * 10 + i);
        }
      }
      group.all_to_all(send, receive);
      EXPECT_EQ(receive, wanted);
      expected += {1, (group.size() - 1) * chunks(group, 8 * each), (group.size() - 1) * 8 * each};
    }
    EXPECT_EQ(group.traffic(Call::exchange), expected);
  });
}

TEST(Exchange, RefusesWrongNumbersOfSizes) {
  const Communicator world = Communicator::world();
  const auto size = static_cast<std::size_t>(world.size());
  const Sizes none(size, 0), more(size + 1, 0);
  EXPECT_THROW(world.exchange(nullptr, none, none, nullptr, more, none), ricci::InternalError);
  Sizes receive(size + 1);
  EXPECT_THROW(world.all_to_all(more, std::span(receive).first(size)), ricci::InternalError);
  Sizes own = none;
  own[static_cast<std::size_t>(world.rank())] = 4;
  std::byte data[4]{};
  EXPECT_THROW(world.exchange(data, own, none, data, none, none), ricci::InternalError);
}

}  // namespace
}  // namespace ricci_test
