// The packed and the unpacked tensor cut into runs of one rank, against looking up every element by itself.
#include <gtest/gtest.h>

#include "layout/packed_runs.hpp"
#include "layout/row_runs.hpp"
#include "property/random_layout.hpp"

namespace ricci::layout {
namespace {

using ricci_test::Dice;
using symmetry::Shape;

std::vector<Shape> shapes() {
  return {
      Shape({5}, {}),
      Shape({3, 4}, {}),
      Shape({7, 7}, symmetric(0, 1)),
      Shape({7, 7}, hollow(0, 1)),
      Shape({5, 5, 6, 6}, antisymmetric(0, 1) * symmetric(2, 3)),
      Shape({5, 6, 5, 6}, symmetric(0, 2) * antisymmetric(1, 3)),
      Shape({6, 3, 2, 6}, symmetric(0, 3)),
      Shape({6, 6, 3}, antisymmetric(0, 1)),
      Shape({7, 7, 7}, symmetric(0, 1, 2)),
      Shape({7, 2, 7, 7}, antisymmetric(3, 0, 2)),
      Shape({6, 6, 6, 6}, symmetric(0, 1, 2, 3)),
      Shape({7, 7, 7, 7}, hollow(0, 1, 2, 3)),
      Shape({1, 1}, antisymmetric(0, 1)),
      Shape({0, 0}, symmetric(0, 1)),
  };
}

/// f(locator) for many layouts of every shape.
template <class F>
void for_each_distribution(F f) {
  for (const Shape& shape : shapes()) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Dice dice(seed);
      const int ranks = dice.pick(std::vector{1, 2, 3, 4, 6, 8});
      const Distribution distribution(std::make_shared<const Shape>(shape),
                                      ricci_test::random_layout(dice, shape.symmetry(), shape.order(), ranks));
      std::ostringstream what;
      what << shape << ' ' << distribution.layout();
      SCOPED_TRACE(what.str());
      f(Locator(distribution));
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Runs, OfTheUnpackedTensor) {
  for_each_distribution([](const Locator& locator) {
    const Shape& shape = locator.distribution().shape();
    const symmetry::KeySplitter split(shape);
    RowRuns runs(locator);
    std::vector<std::int64_t> index(static_cast<std::size_t>(shape.order()));
    for (std::int64_t key = 0; key < shape.full_size();) {
      const RowRun run = runs.at(key);
      ASSERT_GT(run.count, 0);
      ASSERT_LE(key % shape.extents().back() + run.count, shape.extents().back());
      std::vector<std::int64_t> places, expected;
      if (run.factor != 0) {
        runs.for_each_place(run.count, [&](std::int64_t place) { places.push_back(place); });
      }
      for (std::int64_t i = 0; i < run.count; ++i) {
        split(key + i, index.data());
        const std::vector<std::int64_t> given = index;
        ASSERT_EQ(symmetry::sort_index(shape, index.data()), run.factor) << "key " << key + i;
        if (run.factor == 0) continue;
        ASSERT_EQ(locator.owner(index.data()), run.owner) << "key " << key + i;
        ASSERT_EQ(index == given, run.sorted) << "key " << key + i;
        expected.push_back(locator.place(index.data()));
      }
      ASSERT_EQ(places, expected) << "key " << key;
      key += run.count;
    }
  });
}

TEST(Runs, OfThePackedTensor) {
  for_each_distribution([](const Locator& locator) {
    const Shape& shape = locator.distribution().shape();
    PackedRuns runs(locator);
    symmetry::UniqueElements unique(shape);
    for (std::int64_t offset = 0; offset < shape.stored_size();) {
      const PackedRun run = runs.at(offset);
      ASSERT_GT(run.count, 0);
      const std::int64_t first = runs.place(offset);
      for (std::int64_t i = 0; i < run.count; ++i, unique.next()) {
        ASSERT_EQ(locator.owner(unique.index().data()), run.owner) << "offset " << offset + i;
        ASSERT_EQ(locator.place(unique.index().data()), first + i) << "offset " << offset + i;
      }
      offset += run.count;
    }
  });
}

}  // namespace
}  // namespace ricci::layout
