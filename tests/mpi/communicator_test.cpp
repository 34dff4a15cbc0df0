#include "comm/communicator.hpp"

#include <sstream>

#include <ricci/error.hpp>

#include "comm_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci::comm;

TEST(Communicator, KnowsItsRanks) {
  const Communicator world = Communicator::world();
  EXPECT_GE(world.rank(), 0);
  EXPECT_LT(world.rank(), world.size());
  EXPECT_EQ(world.all_reduce(std::int64_t{1}, Operation::sum), world.size());
  EXPECT_EQ(world.all_reduce(std::int64_t{world.rank()}, Operation::max), world.size() - 1);
}

TEST(Communicator, OneRankAloneNeedsNoMpi) {
  const Communicator alone;
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.size(), 1);
  alone.barrier();
  EXPECT_EQ(alone.split(4).size(), 1);
}

TEST(Communicator, SplitsByColor) {
  const Communicator world = Communicator::world();
  const Communicator part = world.split(world.rank() % 3);
  EXPECT_EQ(part.size(), (world.size() - world.rank() % 3 + 2) / 3);
  EXPECT_EQ(part.rank(), world.rank() / 3);
  part.barrier();
}

TEST(Communicator, SplitsInTheOrderOfKeys) {
  const Communicator world = Communicator::world();
  EXPECT_EQ(world.split(7, -world.rank()).rank(), world.size() - 1 - world.rank());
  EXPECT_EQ(world.split(7, 0).rank(), world.rank());
}

TEST(Communicator, ANegativeColorOfOneRankFailsOnAll) {
  const Communicator world = Communicator::world();
  EXPECT_THROW(world.split(world.rank() == world.size() - 1 ? -1 : 0), ricci::InputError);
}

TEST(Communicator, CopiesShareWhatPartsInherit) {
  const Communicator world = Communicator::world(), copy = world;
  world.set_chunk_limit(100);
  EXPECT_EQ(copy.chunk_limit(), 100);
  const Communicator part = world.split(0);
  EXPECT_EQ(part.chunk_limit(), 100);
  EXPECT_NE(Communicator::world().chunk_limit(), 100);

  part.all_reduce(1.0, Operation::sum);
  EXPECT_EQ(part.traffic(Call::reduce).calls, 1);
  EXPECT_EQ(copy.traffic(), Traffic{});
  world.all_reduce(1.0, Operation::sum);
  EXPECT_EQ(copy.traffic(Call::reduce).calls, 1);
  copy.reset_traffic();
  EXPECT_EQ(world.traffic(), Traffic{});
}

TEST(Communicator, RefusesChunksThatMpiCannotTake) {
  const Communicator world = Communicator::world();
  EXPECT_THROW(world.set_chunk_limit(0), ricci::InternalError);
  EXPECT_THROW(world.set_chunk_limit(std::int64_t{1} << 31), ricci::InternalError);
}

TEST(Communicator, ControlIsNotCounted) {
  const Communicator world = Communicator::world();
  world.barrier();
  world.agree(nullptr);
  EXPECT_TRUE(world.consistent("x"));
  world.split(0);
  EXPECT_EQ(world.traffic(), Traffic{});
}

TEST(Traffic, Prints) {
  std::ostringstream out;
  out << name_of(Call::exchange) << ": " << Traffic{1, 6, 4096};
  EXPECT_EQ(out.str(), "exchange: 1 call, 6 messages, 4096 bytes");
}

}  // namespace
}  // namespace ricci_test
