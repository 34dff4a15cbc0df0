// Failing on all ranks or none.
#include <new>
#include <string>

#include <ricci/error.hpp>

#include "comm/communicator.hpp"
#include "comm_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci::comm;

/// The message of what f throws as this type.
template <class Error, class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another kind: ") + error.what();
  }
  return "nothing was thrown";
}

TEST(Agree, NothingFails) {
  for_each_case([](const Communicator& group) {
    int runs = 0;
    together(group, [&] { ++runs; });
    EXPECT_EQ(runs, 1);
  });
}

TEST(Agree, OneRankFails) {
  for_each_case([](const Communicator& group) {
    for (int culprit = 0; culprit < group.size(); ++culprit) {
      const auto message = message_of<ricci::InputError>([&] {
        together(group, [&] {
          if (group.rank() == culprit) throw ricci::InputError("no such label 'q'");
        });
      });
      const std::string prefix = group.size() == 1 ? "" : "rank " + std::to_string(culprit) + ": ";
      EXPECT_EQ(message, prefix + "no such label 'q'");
    }
  });
}

TEST(Agree, AllFailAlike) {
  for_each_case([](const Communicator& group) {
    const std::string text(3000, 'x');  // beyond the chunk limits
    EXPECT_EQ(message_of<ricci::ResourceError>(
                  [&] { together(group, [&] { throw ricci::ResourceError("full: " + text); }); }),
              "full: " + text);
  });
}

TEST(Agree, AllFailDifferently) {
  for_each_case([](const Communicator& group) {
    const auto message = message_of<ricci::InputError>([&] {
      together(group, [&] {
        if (group.rank() == 0) throw ricci::InputError("first");
        throw ricci::InternalError("later");
      });
    });
    EXPECT_EQ(message, group.size() == 1 ? "first" : "rank 0: first");
  });
}

TEST(Agree, TheSameTextOfAnotherKindIsAnotherFailure) {
  const Communicator world = Communicator::world();
  const auto message = message_of<ricci::InputError>([&] {
    together(world, [&] {
      if (world.rank() == 0) throw ricci::InputError("text");
      throw ricci::InternalError("text");
    });
  });
  EXPECT_EQ(message, world.size() == 1 ? "text" : "rank 0: text");
}

TEST(Agree, OtherExceptionsBecomeOurs) {
  const Communicator world = Communicator::world();
  const auto failing = [&](auto exception) {
    return [&world, exception] { together(world, [&] { throw exception; }); };
  };
  EXPECT_NE(message_of<ricci::ResourceError>(failing(std::bad_alloc())).find("out of memory"), std::string::npos);
  EXPECT_EQ(message_of<ricci::InternalError>(failing(std::out_of_range("far away"))), "far away");
  EXPECT_EQ(message_of<ricci::InternalError>(failing(42)), "an exception that is no std::exception");
  EXPECT_EQ(message_of<ricci::InternalError>(failing(ricci::InputError(""))), "another kind: ");
}

TEST(Agree, TheGroupIsUsableAfterwards) {
  const Communicator world = Communicator::world();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(together(world,
                          [&] {
                            if (world.rank() == i % world.size()) throw ricci::InputError("again");
                          }),
                 ricci::InputError);
    EXPECT_EQ(world.all_reduce(std::int64_t{1}, Operation::sum), world.size());
  }
}

TEST(Consistent, FindsWhoDiffers) {
  for_each_case([](const Communicator& group) {
    EXPECT_TRUE(group.consistent(""));
    EXPECT_TRUE(group.consistent("C[ij] += A[ik] * B[kj]"));
    EXPECT_EQ(group.disagreement("C[ij] += A[ik] * B[kj]"), std::nullopt);
    for (int odd = 0; odd < group.size(); ++odd) {
      const std::string text = group.rank() == odd ? "C[ij] += A[ik] * B[jk]" : "C[ij] += A[ik] * B[kj]";
      EXPECT_EQ(group.consistent(text), group.size() == 1);
      const auto who = group.disagreement(text);
      ASSERT_EQ(who.has_value(), group.size() > 1);
      if (who) {
        EXPECT_EQ(*who, std::pair(0, odd == 0 ? 1 : odd));
      }
    }
  });
}

TEST(Consistent, LengthsAndZerosCount) {
  const Communicator world = Communicator::world();
  const std::vector<std::byte> zeros(static_cast<std::size_t>(world.rank() == 0 ? 15 : 16));
  EXPECT_EQ(world.consistent(zeros), world.size() == 1);
}

}  // namespace
}  // namespace ricci_test
