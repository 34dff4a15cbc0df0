// Reductions, against sums over all ranks that every rank computes by itself. The values are small integers, so that
// sums are exact in every type and in every order.
#include <algorithm>
#include <functional>
#include <numeric>

#include <ricci/error.hpp>

#include "comm/communicator.hpp"
#include "comm_case.hpp"

namespace ricci_test {
namespace {

using namespace ricci::comm;

template <class T>
constexpr bool is_complex = !std::is_arithmetic_v<T>;

template <class T>
T value_of(int rank, std::int64_t i) {
  const std::int64_t value = (rank * 7 + i * 5 + (rank + 1) * (i % 3)) % 23 - 11;
  if constexpr (is_complex<T>) {
    using Real = typename T::value_type;
    return {static_cast<Real>(value), static_cast<Real>(i % 9 - rank)};
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
std::vector<T> values_of(int rank, std::int64_t n) {
  std::vector<T> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = value_of<T>(rank, i);
  return values;
}

template <class T>
T combine(T a, T b, Operation operation) {
  if (operation == Operation::sum) return a + b;
  if constexpr (!is_complex<T>) {
    if (operation == Operation::max) return std::max(a, b);
    if (operation == Operation::min) return std::min(a, b);
    if (operation == Operation::logical_and) return a != 0 && b != 0;
    return a != 0 || b != 0;
  }
  return {};
}

template <class T>
std::vector<T> reduced(int ranks, std::int64_t n, Operation operation) {
  std::vector<T> result = values_of<T>(0, n);
  for (int r = 1; r < ranks; ++r) {
    const auto other = values_of<T>(r, n);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = combine(result[i], other[i], operation);
  }
  return result;
}

template <class T>
std::vector<Operation> operations_of() {
  if (is_complex<T>) return {Operation::sum};
  if (std::is_same_v<T, std::int64_t>)
    return {Operation::sum, Operation::max, Operation::min, Operation::logical_and, Operation::logical_or};
  return {Operation::sum, Operation::max, Operation::min};
}

/// Reductions cut between elements only.
template <class T>
std::int64_t element_chunks(const Communicator& group, std::int64_t n) {
  const std::int64_t limit = std::max<std::int64_t>(1, group.chunk_limit() / static_cast<std::int64_t>(sizeof(T)));
  return (n + limit - 1) / limit;
}

template <class T>
std::int64_t random_length(const Communicator& group, SizeDice& dice) {
  return dice.size(std::max<std::int64_t>(8, data_size(group.chunk_limit()) / static_cast<std::int64_t>(sizeof(T))));
}

template <class T>
Traffic traffic_of_all_reduce(const Communicator& group, std::int64_t n) {
  const std::int64_t others = group.size() - 1;
  return {1, 2 * others * element_chunks<T>(group, n),
          2 * others * n * static_cast<std::int64_t>(sizeof(T)) / group.size()};
}

template <class T>
class Reduce : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>, std::int64_t>;
TYPED_TEST_SUITE(Reduce, Types);

TYPED_TEST(Reduce, AllRanksGetTheResult) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(4);
    Traffic expected;
    for (const Operation operation : operations_of<TypeParam>()) {
      const std::int64_t n = random_length<TypeParam>(group, dice);
      auto values = values_of<TypeParam>(group.rank(), n);
      group.all_reduce(std::span(values), operation);
      EXPECT_EQ(values, reduced<TypeParam>(group.size(), n, operation));
      expected += traffic_of_all_reduce<TypeParam>(group, n);
    }
    EXPECT_EQ(group.traffic(Call::reduce), expected);
    EXPECT_EQ(group.traffic(), expected);
  });
}

TYPED_TEST(Reduce, TheRootGetsTheResult) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(5);
    Traffic expected;
    for (int root = 0; root < std::min(group.size(), 3); ++root) {
      const std::int64_t n = random_length<TypeParam>(group, dice);
      const Operation operation = operations_of<TypeParam>().back();
      auto values = values_of<TypeParam>(group.rank(), n);
      group.reduce(std::span(values), root, operation);
      EXPECT_EQ(values, group.rank() == root ? reduced<TypeParam>(group.size(), n, operation)
                                             : values_of<TypeParam>(group.rank(), n));
      expected += {1, 0, 0};
      if (group.rank() != root)
        expected += {0, element_chunks<TypeParam>(group, n), n * static_cast<std::int64_t>(sizeof(TypeParam))};
    }
    EXPECT_EQ(group.traffic(Call::reduce), expected);
  });
}

TYPED_TEST(Reduce, EachRankGetsItsPart) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(6);
    Traffic expected;
    for (int round = 0; round < 3; ++round) {
      Sizes counts(static_cast<std::size_t>(group.size()));
      for (auto& count : counts) count = round == 2 ? 0 : random_length<TypeParam>(group, dice);
      const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
      const std::int64_t before = std::accumulate(counts.begin(), counts.begin() + group.rank(), std::int64_t{0});
      const std::int64_t own = counts[static_cast<std::size_t>(group.rank())];
      const auto in = values_of<TypeParam>(group.rank(), total);
      std::vector<TypeParam> out(static_cast<std::size_t>(own));
      group.reduce_scatter(in, std::span(out), counts);
      const auto all = reduced<TypeParam>(group.size(), total, Operation::sum);
      EXPECT_EQ(out, std::vector<TypeParam>(all.begin() + before, all.begin() + before + own));
      expected += {1, 0, (total - own) * static_cast<std::int64_t>(sizeof(TypeParam))};
      for (int r = 0; r < group.size(); ++r)
        if (r != group.rank())
          expected.messages += element_chunks<TypeParam>(group, counts[static_cast<std::size_t>(r)]);
    }
    EXPECT_EQ(group.traffic(Call::reduce), expected);
  });
}

TYPED_TEST(Reduce, SeveralAreUnderWayAtOnce) {
  for_each_case([](const Communicator& group) {
    SizeDice dice(7);
    Traffic expected;
    std::vector<std::vector<TypeParam>> values;
    for (int i = 0; i < 3; ++i)
      values.push_back(values_of<TypeParam>(group.rank(), random_length<TypeParam>(group, dice)));
    std::vector<Request> requests;
    for (auto& one : values) {
      requests.push_back(group.start_all_reduce(std::span(one), Operation::sum));
      expected += traffic_of_all_reduce<TypeParam>(group, std::ssize(one));
    }
    wait_all(requests);
    for (const auto& one : values) EXPECT_EQ(one, reduced<TypeParam>(group.size(), std::ssize(one), Operation::sum));
    EXPECT_EQ(group.traffic(Call::reduce), expected);
  });
}

TEST(ReduceErrors, AnOperationThatTheTypeLacksIsRefused) {
  const Communicator world = Communicator::world();
  EXPECT_THROW(world.all_reduce(std::complex<double>(1), Operation::max), ricci::InternalError);
  EXPECT_THROW(world.all_reduce(1.0, Operation::logical_or), ricci::InternalError);
  std::vector<float> in(3), out(1);
  EXPECT_THROW(world.reduce_scatter(in, std::span(out), Sizes{}), ricci::InternalError);
  EXPECT_THROW(world.reduce(std::span(in), world.size()), ricci::InternalError);
  EXPECT_EQ(world.traffic(), Traffic{});
}

}  // namespace
}  // namespace ricci_test
