// Messages between two ranks, and requests.
#include <algorithm>

#include <ricci/error.hpp>

#include "comm/communicator.hpp"
#include "comm_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci::comm;

TEST(Messages, EveryPairInAnyOrder) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(9);
    const int size = group.size(), rank = group.rank();
    Traffic expected;
    std::vector<std::vector<std::byte>> out, in;
    std::vector<Request> requests;
    for (int from = 0; from < size; ++from) {
      for (int to = 0; to < size; ++to) {
        const std::int64_t n = dice.size(data_size(group.chunk_limit()));
        if (from == rank) out.push_back(bytes_of(from, to, n));
        if (to == rank) in.emplace_back(static_cast<std::size_t>(n));
      }
    }
    // Receives from the last rank down and sends from the first up; half of the ranks send first.
    const auto receive_all = [&] {
      for (int from = size; from-- > 0;)
        requests.push_back(group.start_receive(in[static_cast<std::size_t>(from)], from, 5));
    };
    if (rank % 2 == 0) receive_all();
    for (int to = 0; to < size; ++to) {
      const auto& data = out[static_cast<std::size_t>(to)];
      requests.push_back(group.start_send(data, to, 5));
      expected.calls += 1;
      if (to != rank) expected += {0, chunks(group, std::ssize(data)), std::ssize(data)};
    }
    if (rank % 2 == 1) receive_all();
    wait_all(requests);
    for (int from = 0; from < size; ++from) {
      const auto& data = in[static_cast<std::size_t>(from)];
      EXPECT_EQ(data, bytes_of(from, rank, std::ssize(data)));
    }
    EXPECT_EQ(group.traffic(Call::point), expected);
    EXPECT_EQ(group.traffic(), expected);
  });
}

TEST(Messages, TagsAreWaitedForInAnyOrder) {
  for_each_case([](const Communicator& group) {
    const int next = (group.rank() + 1) % group.size(), previous = (group.rank() + group.size() - 1) % group.size();
    std::vector<std::vector<std::byte>> out, in(4, std::vector<std::byte>(50));
    for (int tag = 0; tag < 4; ++tag) out.push_back(bytes_of(group.rank(), tag, 50));
    std::vector<Request> receives, sends;
    for (const int tag : {2, 0, 3, 1})
      receives.push_back(group.start_receive(in[static_cast<std::size_t>(tag)], previous, tag));
    for (int tag = 0; tag < 4; ++tag) sends.push_back(group.start_send(out[static_cast<std::size_t>(tag)], next, tag));
    receives[3].wait();
    EXPECT_EQ(in[1], bytes_of(previous, 1, 50));
    receives[0].wait();
    EXPECT_EQ(in[2], bytes_of(previous, 2, 50));
    while (!receives[2].test()) {
    }
    EXPECT_TRUE(receives[2].test());
    EXPECT_EQ(in[3], bytes_of(previous, 3, 50));
    receives[1] = Request();  // assigning waits, too
    EXPECT_EQ(in[0], bytes_of(previous, 0, 50));
    wait_all(sends);
  });
}

TEST(Messages, OneTagKeepsTheOrder) {
  for_each_case([](const Communicator& group) {
    const int next = (group.rank() + 1) % group.size(), previous = (group.rank() + group.size() - 1) % group.size();
    std::vector<std::vector<std::byte>> out, in;
    for (int i = 0; i < 5; ++i) {
      out.push_back(bytes_of(group.rank(), i, 20 * i));
      in.emplace_back(static_cast<std::size_t>(20 * i));
    }
    std::vector<Request> requests;
    for (const auto& data : out) requests.push_back(group.start_send(data, next));
    for (auto& data : in) requests.push_back(group.start_receive(data, previous));
    wait_all(requests);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(in[static_cast<std::size_t>(i)], bytes_of(previous, i, 20 * i));
  });
}

TEST(Messages, TheDestructorWaits) {
  for_each_case([](const Communicator& group) {
    const int next = (group.rank() + 1) % group.size(), previous = (group.rank() + group.size() - 1) % group.size();
    const auto out = bytes_of(group.rank(), 1, 100);
    std::vector<std::byte> in(100);
    {
      Request moved;
      {
        Request receive = group.start_receive(in, previous);
        const Request send = group.start_send(out, next);
        moved = std::move(receive);
      }
    }
    EXPECT_EQ(in, bytes_of(previous, 1, 100));
  });
}

TEST(Shift, GoesAroundTheRing) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(10);
    const int size = group.size(), rank = group.rank();
    Traffic expected;
    for (int distance = 0; distance <= size; ++distance) {
      const int to = (rank + distance) % size, from = (rank + size - distance % size) % size;
      Sizes sizes(static_cast<std::size_t>(size));
      for (auto& n : sizes) n = dice.size(data_size(group.chunk_limit()));
      const auto out = bytes_of(rank, distance, sizes[static_cast<std::size_t>(rank)]);
      std::vector<std::byte> in(static_cast<std::size_t>(sizes[static_cast<std::size_t>(from)]));
      Request request = group.start_shift(out, to, in, from);
      request.wait();
      request.wait();  // of a complete one there is nothing to wait for
      EXPECT_EQ(in, bytes_of(from, distance, std::ssize(in)));
      expected.calls += 1;
      if (to != rank) expected += {0, chunks(group, std::ssize(out)), std::ssize(out)};
    }
    EXPECT_EQ(group.traffic(Call::point), expected);
  });
}

TEST(Shift, CommunicatorsDoNotMix) {
  const Communicator world = Communicator::world(), other = world.split(0, -world.rank());
  const auto ring = [](const Communicator& group) {
    return std::pair((group.rank() + 1) % group.size(), (group.rank() + group.size() - 1) % group.size());
  };
  const auto [next, previous] = ring(world);
  const auto [other_next, other_previous] = ring(other);
  const auto a = bytes_of(world.rank(), 1, 300), b = bytes_of(other.rank(), 2, 300), c = bytes_of(world.rank(), 3, 300);
  std::vector<std::byte> in_a(300), in_b(300), in_c(300);
  // Half of the ranks start with one communicator, half with the other; a collective runs while they travel.
  // A message that is expected before the shift and sent after it must not be taken for it.
  std::vector<Request> requests;
  requests.push_back(world.start_receive(in_c, previous, 0));
  if (world.rank() % 2 == 0) requests.push_back(other.start_shift(b, other_next, in_b, other_previous));
  requests.push_back(world.start_shift(a, next, in_a, previous));
  if (world.rank() % 2 == 1) requests.push_back(other.start_shift(b, other_next, in_b, other_previous));
  EXPECT_EQ(world.all_reduce(std::int64_t{1}, Operation::sum), world.size());
  requests.push_back(world.start_send(c, next, 0));
  EXPECT_EQ(other.all_reduce(std::int64_t{2}, Operation::sum), 2 * world.size());
  wait_all(requests);
  EXPECT_EQ(in_a, bytes_of(previous, 1, 300));
  EXPECT_EQ(in_b, bytes_of(other_previous, 2, 300));
  EXPECT_EQ(in_c, bytes_of(previous, 3, 300));
}

TEST(MessageErrors, WhatCannotBeIsRefused) {
  const Communicator world = Communicator::world();
  std::vector<std::byte> data(4), other(5);
  const int rank = world.rank();
  EXPECT_THROW(world.start_send(data, world.size()), ricci::InternalError);
  EXPECT_THROW(world.start_receive(data, 0, Communicator::largest_tag + 1), ricci::InternalError);
  EXPECT_THROW(world.start_shift(data, rank, other, rank), ricci::InternalError);
  Request request = world.start_receive(data, rank);
  EXPECT_FALSE(request.test());
  EXPECT_THROW(request.wait(), ricci::InternalError);  // MPI would wait forever
  request = Request();                                 // nobody wants the message any more
  world.start_send(other, rank).wait();
  world.start_receive(other, rank).wait();
}

}  // namespace
}  // namespace ricci_test
