// Memory that does not suffice on one rank: all of them hear of it, and nobody waits for anybody.
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "limit.hpp"
#include "tensor_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci;

/// What this process has mapped, in bytes.
rlim_t mapped() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

TEST(TensorMemory, CopyingFailsOnAllRanksOrNone) {
  const World world;
  // 16 MiB a rank: more than is taken from the heap, where there might be some left.
  const Tensor<double> tensor(world, {std::int64_t{world.size()} << 21});
  Tensor<double> other(world, {3}), none;
  other.fill(2.0);
  for (int poor = 0; poor < world.size(); ++poor) {
    SCOPED_TRACE("rank " + std::to_string(poor) + " has no memory left");
    const auto refuse = [&](const std::function<void()>& action) {
      const Limit limit(world.rank() == poor, RLIMIT_AS, mapped() + (rlim_t{8} << 20));
      const std::string message = message_of<ResourceError>(action);
      EXPECT_TRUE(communicator_of(world).consistent(message)) << message;
      expect_names(message, {"cannot allocate"});
    };
    refuse([&] { const Tensor<double> copy(tensor); });
    refuse([&] { other = tensor; });
    refuse([&] { none = tensor; });
  }
  EXPECT_EQ(other.gather(), (std::vector<double>{2, 2, 2}));
  EXPECT_THROW(none.order(), InputError);
  none = tensor;
  EXPECT_EQ(none.extents(), tensor.extents());
}

TEST(TensorMemory, MovingFailsOnAllRanksOrNone) {
  const World world;
  const int ranks = world.size();
  Tensor<double> tensor(world, {std::int64_t{1} << 11, std::int64_t{ranks} << 10});  // 16 MiB a rank
  const Layout rows(Grid{ranks}, {{0}, {}}), columns(Grid{ranks}, {{}, {0}});
  tensor.redistribute(rows);
  tensor.fill(3.0);
  world.state().pool.release(std::int64_t{1} << 40);
  for (int poor = 0; poor < ranks && ranks > 1; ++poor) {  // on one rank nothing moves
    const Limit limit(world.rank() == poor, RLIMIT_AS, mapped() + (rlim_t{8} << 20));
    const std::string message = message_of<ResourceError>([&] { tensor.redistribute(columns); });
    EXPECT_TRUE(communicator_of(world).consistent(message)) << message;
    expect_names(message, {"cannot allocate"});
  }
  EXPECT_EQ(tensor.layout(), rows);
  tensor.redistribute(columns);
  EXPECT_EQ(tensor.layout(), columns);
  EXPECT_EQ(tensor.max_abs(), 3.0);
}

}  // namespace
}  // namespace ricci_test
